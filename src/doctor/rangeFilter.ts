// Finds which of a call's times startTime and endTime filter, and whether calls exactly at the ends are included.
// It asks for ranges of one to three seconds around single calls. All probed calls must agree.
import { determined, pluralize, undetermined, type Finding } from "./finding.ts";
import { timeFields, type ObservedRow, type TimeField } from "./observe.ts";
import { isComplete, type ListResult, type ProbeClient } from "./probeClient.ts";

/** Whether a call came for a range. Null: unknown, because the page was not complete or there was none. */
export type Presence = boolean | null;

export interface FieldProbe {
  /** Presence for one second before to one second after each time; null also if the row has no such time. */
  around: Record<TimeField, Presence>;
}

/** Ranges in seconds from one field of a call: `[from, to]`. */
export const END_RANGES = [
  [-1, -1],
  [-1, 0],
  [0, 0],
  [0, 1],
  [1, 1],
] as const;

/** Presence for each of `END_RANGES`. */
export type EndProbe = readonly Presence[];

const SECOND = 1000;
const MAX_PROBES = 3;
const MIN_PROBES = 2;
const MIN_DISTANCE = 3 * SECOND;

/** Expected presence in each of `END_RANGES`. No service may return a call for a range that ends before it. */
const patterns = {
  both: [false, true, true, true, false],
  "startTime only": [false, false, false, true, false],
  "endTime only": [false, true, false, false, false],
  neither: [false, false, false, false, false],
} as const satisfies Record<string, readonly boolean[] & { length: (typeof END_RANGES)["length"] }>;

/**
 * Picks calls whose times are at least 3 s apart, spread over all rows; answered calls first. `isUsable` says whether a
 * row's times can be converted to the wall clock.
 */
export function pickProbeCalls(rows: readonly ObservedRow[], isUsable: (row: ObservedRow) => boolean): ObservedRow[] {
  const usable = rows.filter((row) => isUsable(row) && hasDistinctTimes(row));
  const answered = usable.filter(({ times }) => times.answerAt.ms !== null);
  const pool = answered.length >= MAX_PROBES ? answered : usable;
  const step = Math.max(1, (pool.length - 1) / (MAX_PROBES - 1));
  const picked = Array.from({ length: Math.min(MAX_PROBES, pool.length) }, (_, at) => pool[Math.floor(at * step)]);
  return picked.filter((row) => row !== undefined);
}

/** @param offset from the row's times to the wall clock, ms. */
export async function probeFields(client: ProbeClient, row: ObservedRow, offset: number): Promise<FieldProbe> {
  const around: FieldProbe["around"] = { startAt: null, answerAt: null, endAt: null };
  for (const field of timeFields) around[field] = await probe(client, row, field, offset, [-1, 1]);
  return { around };
}

/** @param offset from the row's times to the wall clock, ms. */
export async function probeEnds(
  client: ProbeClient,
  row: ObservedRow,
  field: TimeField,
  offset: number,
): Promise<EndProbe> {
  const presences: Presence[] = [];
  for (const range of END_RANGES) presences.push(await probe(client, row, field, offset, range));
  return presences;
}

async function probe(
  client: ProbeClient,
  row: ObservedRow,
  field: TimeField,
  offset: number,
  [before, after]: readonly [number, number],
): Promise<Presence> {
  const { ms } = row.times[field];
  if (ms === null) return null;
  const at = Math.floor((ms + offset) / SECOND) * SECOND;
  const range = { from: at + before * SECOND, to: at + after * SECOND };
  return isPresent(await client.listCalls({ range }), row.key);
}

export function isPresent({ page }: ListResult, key: string): Presence {
  if (page === null) return null;
  if (page.rows.some((row) => row.key === key)) return true;
  return isComplete(page) ? false : null;
}

/** The one field whose second returns every probed call, if no other time returns any. Null: no field, or several. */
export function findFilteredField(probes: readonly FieldProbe[]): TimeField | null {
  const found = timeFields.filter((field) => probes.every(({ around }) => around[field] === true));
  const [only] = found;
  if (only === undefined || found.length > 1 || probes.length < MIN_PROBES) return null;
  const others = timeFields.filter((field) => field !== only);
  // Null is a time that the call does not have, so it cannot be the filtered one.
  return probes.every(({ around }) => others.every((field) => around[field] !== true)) ? only : null;
}

/** @param ends of the same calls, around the filtered field. */
export function judgeRangeField(probes: readonly FieldProbe[], ends: readonly EndProbe[]): Finding {
  const calls = pluralize(probes.length, "call");
  if (probes.length < MIN_PROBES)
    return undetermined("rangeField", `${calls} could be probed; ${MIN_PROBES} are needed.`);
  const isAlwaysThere = probes.every(({ around }) => timeFields.every((field) => around[field] !== false));
  if (isAlwaysThere)
    return undetermined("rangeField", `${calls} came for every range: the range has no effect, or a coarse one.`);
  const field = findFilteredField(probes);
  if (field === null) {
    const counts = timeFields.map((each) => `${each} ${probes.filter(({ around }) => around[each]).length}`);
    return undetermined("rangeField", `Of ${calls}, these numbers came for the seconds around: ${counts.join(", ")}.`);
  }
  if (!isExactField(ends))
    return undetermined("rangeField", `${calls} came near ${field}, but not at its exact second.`);
  return determined("rangeField", field, `${calls} came for the seconds around ${field}, and for no other time.`);
}

export function judgeRangeEnds(ends: readonly EndProbe[]): Finding {
  const calls = pluralize(ends.length, "call");
  if (ends.length < MIN_PROBES) return undetermined("rangeEnds", "The field that the range filters is not known.");
  const fitting = Object.entries(patterns).filter(([, pattern]) => ends.every((each) => matchesPattern(each, pattern)));
  const [only] = fitting;
  if (only === undefined) return undetermined("rangeEnds", `${calls} did not agree.`);
  return determined("rangeEnds", only[0], `${calls}, each in ${END_RANGES.length} ranges of one or two seconds.`);
}

/** Whether the field itself is filtered. A call that comes for the second before or after it is filtered by a near time. */
export function isExactField(ends: readonly EndProbe[]): boolean {
  return ends.length > 0 && ends.every((presences) => presences[0] === false && presences.at(-1) === false);
}

function matchesPattern(presences: EndProbe, pattern: readonly boolean[]): boolean {
  return pattern.every((expected, at) => presences[at] === expected);
}

function hasDistinctTimes({ times: { startAt, answerAt, endAt } }: ObservedRow): boolean {
  const known = [startAt.ms, answerAt.ms, endAt.ms].filter((ms) => ms !== null);
  if (startAt.ms === null || endAt.ms === null) return false;
  return known.every((ms, at) => at === 0 || ms - (known[at - 1] as number) >= MIN_DISTANCE);
}
