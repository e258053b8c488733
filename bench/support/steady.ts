// Load at a pace of its own, as a user's: a request at each tick, whether those before were quick or slow.
import { setTimeout as pause } from "node:timers/promises";
import { percentile } from "./figures.ts";
import { openLine, type Answer } from "./line.ts";

export interface SteadyOptions {
  /** Each asks at its own ticks, which lie between those of the others. */
  connections: number;
  everyMs: number;
  ms: number;
  /** The next request's bytes. */
  next: () => Buffer;
  /** Throws where the answer is not the right one. */
  check: (answer: Answer) => void;
}

/** Times are from the tick to the answer, so that one that is held up by the answer before it is not told as quick. */
export async function steady(url: string, { connections, everyMs, ms, next, check }: SteadyOptions) {
  const lines = await Promise.all(Array.from({ length: connections }, () => openLine(url)));
  const began = performance.now();
  const took: number[] = [];
  await Promise.all(
    lines.map(async (line, at) => {
      const first = began + (everyMs * at) / connections;
      for (let tick = first; tick < began + ms; tick += everyMs) {
        await pause(Math.max(0, tick - performance.now()));
        // A timer may run a little before its time.
        const due = Math.min(tick, performance.now());
        check(await line.ask(next()));
        took.push(performance.now() - due);
      }
    }),
  );
  for (const line of lines) line.close();
  took.sort((a, b) => a - b);
  return { p50: percentile(took, 50), p99: percentile(took, 99), answered: took.length };
}
