// Until when nothing is sent, by the clock of the database.
import { HOUR_MS } from "../../util/durations.ts";

/** Longer than any wait that is stored. What is later was stored while the clock was wrong, and is due. */
export const MAX_WAIT_MS = 6 * HOUR_MS;

/** Milliseconds left; 0: it is due. */
export function waitOf(nextAt: number, now: number): number {
  const left = nextAt - now;
  return left > MAX_WAIT_MS ? 0 : Math.max(0, left);
}
