// Looks for calls that were still going when they were last seen, and that began before what is searched anyway: however
// long a call is, its end is found. One that the service never ends is looked for as long as events are kept, so the cost
// is bounded.
import type { OpenCall } from "../store/shared/openCallStore.ts";
import type { ReadTimeRange } from "./readRange.ts";

/** A stretch of more rows is too dear to be read each time: 20 requests. */
const MOST_ROWS = 2000;
/** Calls looked for one by one in a search; the others have their turn in the next ones. */
const CALLS_A_TURN = 20;
const AROUND_MS = 60_000;

/**
 * `calls` by their start. The range reaches from before a call's start to now, for which of a call's times the service
 * filters by is not known. Where that is too many rows, only its start is looked at: a service that filters by the end
 * shows it in the ordinary search, and one that asks both at once of a call is the case that is not found.
 * Returns the turn to go on with.
 */
export async function lookForOpenCalls(
  calls: readonly OpenCall[],
  now: number,
  turn: number,
  read: ReadTimeRange,
): Promise<number> {
  const next = turn + CALLS_A_TURN < calls.length ? turn + CALLS_A_TURN : 0;
  const tried = new Set([...calls.slice(0, 1), ...calls.slice(turn, turn + CALLS_A_TURN)]);
  for (const { startAt } of tried) {
    const start = Date.parse(startAt);
    // All that began later are in it too.
    if ((await read(start - AROUND_MS, now, MOST_ROWS)) !== "tooLong") return next;
    await read(start - AROUND_MS, start + AROUND_MS);
  }
  return next;
}
