// A closed-loop load: a number of connections, each of which sends its next request after the answer to the previous one.
import { openLine, type Answer } from "./line.ts";
import { percentile } from "./figures.ts";

export interface LoadOptions {
  connections: number;
  ms: number;
  /** The next request's bytes, by the connection's number. */
  next: (connection: number) => Buffer;
  /** Throws where the answer is not the right one. */
  check: (answer: Answer) => void;
}

export interface LoadResult {
  answered: number;
  perSecond: number;
  p50: number;
  p99: number;
}

/** No request is left without its answer. Connecting is not in the time. */
export async function load(url: string, { connections, ms, next, check }: LoadOptions): Promise<LoadResult> {
  const lines = await Promise.all(Array.from({ length: connections }, () => openLine(url)));
  const took: number[] = [];
  const began = performance.now();
  const end = began + ms;
  await Promise.all(
    lines.map(async (line, connection) => {
      for (let now = performance.now(); now < end;) {
        const answer = await line.ask(next(connection));
        const then = performance.now();
        took.push(then - now);
        check(answer);
        now = then;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  for (const line of lines) line.close();
  took.sort((a, b) => a - b);
  return {
    answered: took.length,
    perSecond: took.length / seconds,
    p50: percentile(took, 50),
    p99: percentile(took, 99),
  };
}
