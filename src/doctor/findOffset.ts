// Finds how far the range's wall clock is from UTC, where rows tell instants: each range asked for halves the offsets
// that are left. It says nothing of the field that is filtered; rangeSemantics.ts judges both to the second.
import { isWhole, type Asker } from "./gentleClient.ts";
import { MINUTE, offsetsAt, survivors, type Span, type Window } from "./offsets.ts";
import type { SeenRow } from "./observed.ts";
import { isInstant } from "./timeForm.ts";

const MOST_RANGES = 12;
const MARGIN = 3 * MINUTE;
const LONGEST_PROBE = 4 * MINUTE;
/** Calls further apart may lie on two sides of a change of the clocks. */
const NEAR = 3 * 24 * 60 * MINUTE;

/** Null: no row tells an instant, or no single offset is left. */
export async function findOffset(ask: Asker, rows: readonly SeenRow[]): Promise<number | null> {
  const spans = rows.flatMap((row) => spanOf(row) ?? []);
  const probe = spans
    .filter(({ from, to }) => to - from <= LONGEST_PROBE)
    .toSorted((a, b) => b.from - a.from)
    .at(0);
  if (!probe) return null;
  const isNear = ({ from }: Span) => Math.abs(from - probe.from) <= NEAR;
  const windows: Window[] = [];
  let left = offsetsAt(probe.from);
  for (let asked = 0; left.length > 1 && asked < MOST_RANGES; asked += 1) {
    const [first, last] = part(left, windows);
    const range = { from: second(probe.from + first - MARGIN), to: second(probe.to + last + MARGIN) };
    const { page } = await ask.list({ range });
    if (page === null) return null;
    const came = page.rows.flatMap((row) => spanOf(row) ?? []);
    windows.push({ range, isWhole: isWhole(page), rows: came.filter(isNear) });
    left = survivors(left, windows, spans.filter(isNear));
  }
  return left.length === 1 ? (left[0] ?? null) : null;
}

/** The lower half of what is left; where the last range told nothing new, the one in the middle alone. */
function part(left: readonly number[], windows: readonly Window[]): [number, number] {
  const middle = Math.floor((left.length - 1) / 2);
  const [from = 0, to = 0] = [left[0], left[middle]];
  const isStale = windows.at(-1)?.rows.length === 0 && windows.at(-1)?.isWhole === false;
  return isStale ? [to, to] : [from, to];
}

function spanOf({ key, times: { startAt, endAt } }: SeenRow): Span | null {
  if (!isInstant(startAt) || startAt.ms === null) return null;
  return { key, from: startAt.ms, to: isInstant(endAt) && endAt.ms !== null ? endAt.ms : startAt.ms };
}

const second = (ms: number) => Math.floor(ms / 1000) * 1000;
