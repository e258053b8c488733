// A load on a number of connections. Each sends its next request after the answer to the previous one, and not before it is due where there is a rate.
import { setTimeout as pause } from "node:timers/promises";
import { openConnection, type Answer } from "./connection.ts";
import { percentile } from "./statistics.ts";

export interface LoadOptions {
  connections: number;
  /** The bytes of the next request of this connection, numbered from 0. */
  next: (connection: number) => Buffer;
  /** Throws if the answer is wrong. */
  check: (answer: Answer) => void;
  /** Requests a second, of all connections. Times then begin when a request is due, so that a late one counts its wait. Default: as many as it can. */
  rate?: number | undefined;
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
export async function openLoad(url: string, { connections, next, check, rate }: LoadOptions): Promise<Load> {
  const pool = await Promise.all(Array.from({ length: connections }, () => openConnection(url)));
  return {
    async run(ms) {
      const took: number[] = [];
      const began = performance.now();
      const end = began + ms;
      const stepMs = rate === undefined ? 0 : (connections * 1000) / rate;
      await Promise.all(
        pool.map(async (connection, at) => {
          let due = began + (at * stepMs) / connections;
          for (; due < end; due = stepMs > 0 ? due + stepMs : performance.now()) {
            const early = due - performance.now();
            if (early > 0) await pause(early);
            const answer = await connection.send(next(at));
            took.push(performance.now() - due);
            check(answer);
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
