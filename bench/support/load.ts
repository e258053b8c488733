// A closed-loop load: a number of connections, each of which sends its next request after the answer to the previous one.
import { openConnection, type Answer } from "./connection.ts";
import { percentile } from "./figures.ts";

export interface LoadOptions {
  connections: number;
  ms: number;
  /** The bytes of the next request of this connection, numbered from 0. */
  next: (connection: number) => Buffer;
  /** Throws if the answer is wrong. */
  check: (answer: Answer) => void;
}

export interface LoadResult {
  answered: number;
  perSecond: number;
  p50: number;
  p99: number;
}

/** Every request is answered before it returns. The time excludes connecting. */
export async function load(url: string, { connections, ms, next, check }: LoadOptions): Promise<LoadResult> {
  const pool = await Promise.all(Array.from({ length: connections }, () => openConnection(url)));
  const took: number[] = [];
  const began = performance.now();
  const end = began + ms;
  await Promise.all(
    pool.map(async (connection, at) => {
      for (let now = performance.now(); now < end;) {
        const answer = await connection.send(next(at));
        const then = performance.now();
        took.push(then - now);
        check(answer);
        now = then;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  for (const connection of pool) connection.close();
  took.sort((a, b) => a - b);
  return {
    answered: took.length,
    perSecond: took.length / seconds,
    p50: percentile(took, 50),
    p99: percentile(took, 99),
  };
}
