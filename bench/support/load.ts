// A closed-loop load: a number of connections, each of which sends its next request after the answer to the previous one.
import { openConnection, type Answer } from "./connection.ts";
import { percentile } from "./statistics.ts";

export interface LoadOptions {
  connections: number;
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

export interface Load extends Disposable {
  /**
   * Loads the server for a while, and until every request is answered. The first run includes the time until the server has
   * accepted the connections, later runs do not.
   */
  run(ms: number): Promise<LoadResult>;
}

/** The kernel has completed the connections when this resolves; the server may not have accepted them yet. */
export async function openLoad(url: string, { connections, next, check }: LoadOptions): Promise<Load> {
  const pool = await Promise.all(Array.from({ length: connections }, () => openConnection(url)));
  return {
    async run(ms) {
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
      took.sort((a, b) => a - b);
      return {
        answered: took.length,
        perSecond: took.length / seconds,
        p50: percentile(took, 50),
        p99: percentile(took, 99),
      };
    },
    [Symbol.dispose]: () => pool.forEach((connection) => connection.close()),
  };
}

/** One run on new connections. */
export async function load(url: string, { ms, ...options }: LoadOptions & { ms: number }): Promise<LoadResult> {
  using opened = await openLoad(url, options);
  return await opened.run(ms);
}
