// An open-loop load: sends a request at each tick, no matter how long the earlier ones took.
import { setTimeout as pause } from "node:timers/promises";
import { percentile } from "./statistics.ts";
import { openConnection, type Answer } from "./connection.ts";

export interface SteadyOptions {
  /** Each has its own ticks, evenly spread between those of the others. */
  connections: number;
  everyMs: number;
  ms: number;
  /** The bytes of the next request. */
  next: () => Buffer;
  /** Throws if the answer is wrong. */
  check: (answer: Answer) => void;
}

/** Measures from the tick to the answer, so that a request delayed by the previous answer counts as slow. */
export async function steady(url: string, { connections, everyMs, ms, next, check }: SteadyOptions) {
  const pool = await Promise.all(Array.from({ length: connections }, () => openConnection(url)));
  const began = performance.now();
  const took: number[] = [];
  await Promise.all(
    pool.map(async (connection, at) => {
      const first = began + (everyMs * at) / connections;
      for (let tick = first; tick < began + ms; tick += everyMs) {
        await pause(Math.max(0, tick - performance.now()));
        // A timer may fire slightly early.
        const due = Math.min(tick, performance.now());
        check(await connection.send(next()));
        took.push(performance.now() - due);
      }
    }),
  );
  for (const connection of pool) connection.close();
  took.sort((a, b) => a - b);
  return { p50: percentile(took, 50), p99: percentile(took, 99), answered: took.length };
}
