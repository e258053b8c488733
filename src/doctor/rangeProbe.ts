// Asks for ranges of a few seconds around the times of single calls, and notes whether the call came.
import { isWhole, type Asker, type Look } from "./gentleClient.ts";
import { timeFields, type SeenRow, type TimeField } from "./observed.ts";

/** Null: nobody can tell, for the page was not whole, or there was none. */
export type Presence = boolean | null;

export interface FieldProbe {
  /** From the second before that time to the second behind it; null also where the row has no such time. */
  around: Record<TimeField, Presence>;
}

/** Seconds from one field of a call: `[from, to]`. */
export const endRanges = [
  [-1, -1],
  [-1, 0],
  [0, 0],
  [0, 1],
  [1, 1],
] as const;

/** Presence for each of `endRanges`. */
export type EndProbe = readonly Presence[];

const SECOND = 1000;
const MOST_PROBES = 3;
const LEAST_APART = 3 * SECOND;

/**
 * Calls whose three times are well apart, from all over the rows; then those that nobody answered. `isUsable` says
 * which rows' times can be placed on the wall clock.
 */
export function pickProbes(rows: readonly SeenRow[], isUsable: (row: SeenRow) => boolean): SeenRow[] {
  const usable = rows.filter((row) => isUsable(row) && areApart(row));
  const answered = usable.filter(({ times }) => times.answerAt.ms !== null);
  const pool = answered.length >= MOST_PROBES ? answered : usable;
  const step = Math.max(1, (pool.length - 1) / (MOST_PROBES - 1));
  const picked = Array.from({ length: Math.min(MOST_PROBES, pool.length) }, (_, at) => pool[Math.floor(at * step)]);
  return picked.filter((row) => row !== undefined);
}

/** @param offset from the row's times to the wall clock. */
export async function probeFields(ask: Asker, row: SeenRow, offset: number): Promise<FieldProbe> {
  const around: FieldProbe["around"] = { startAt: null, answerAt: null, endAt: null };
  for (const field of timeFields) around[field] = await isIn(ask, row, field, offset, [-1, 1]);
  return { around };
}

export async function probeEnds(ask: Asker, row: SeenRow, field: TimeField, offset: number): Promise<EndProbe> {
  const seen: Presence[] = [];
  for (const range of endRanges) seen.push(await isIn(ask, row, field, offset, range));
  return seen;
}

async function isIn(
  ask: Asker,
  row: SeenRow,
  field: TimeField,
  offset: number,
  [before, after]: readonly [number, number],
): Promise<Presence> {
  const { ms } = row.times[field];
  if (ms === null) return null;
  const at = Math.floor((ms + offset) / SECOND) * SECOND;
  const range = { from: at + before * SECOND, to: at + after * SECOND };
  return presence(await ask.list({ range }), row.key);
}

export function presence({ page }: Look, key: string): Presence {
  if (page === null) return null;
  if (page.rows.some((row) => row.key === key)) return true;
  return isWhole(page) ? false : null;
}

function areApart({ times: { startAt, answerAt, endAt } }: SeenRow): boolean {
  const known = [startAt.ms, answerAt.ms, endAt.ms].filter((ms) => ms !== null);
  if (startAt.ms === null || endAt.ms === null) return false;
  return known.every((ms, at) => at === 0 || ms - (known[at - 1] as number) >= LEAST_APART);
}
