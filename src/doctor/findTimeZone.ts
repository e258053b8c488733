// Judges the zone of the service's wall clock, as an offset from UTC. Rows that show instants give the offset directly.
// Otherwise tasks and the Date header bound it. Several zones share an offset; no answer tells which one is meant.
import { formatOffset, offsetsAt, zonesWithOffsets, type KnownOffset } from "./findOffset.ts";
import { determined, pluralize, undetermined, type Finding } from "./finding.ts";
import { isInstant, type ObservedRow, type ObservedTask, type TimeField } from "./observe.ts";
import { isComplete, type ProbeClient } from "./probeClient.ts";
import { isPresent } from "./rangeFilter.ts";
import { DAY_MS, MINUTE_MS } from "../util/durations.ts";

export interface ZoneEvidence {
  /** The offset that places rows in ranges, if rows show instants. Null: none was found, or rows show a wall clock. */
  rangeOffset: number | null;
  /** Epoch ms of the newest row. */
  newestMs: number;
  /** Whether rows show the wall clock itself. */
  isWall: boolean;
  /** Whether ranges of single seconds returned rows exactly where the offset places them (for a wall clock: offset 0). */
  isConfirmed: boolean;
  /** Offsets observed half a year ago: they separate zones that agree today. */
  otherSeasons: readonly KnownOffset[];
  /** Offsets written in RFC 3339 times of rows; `Z` does not count. */
  writtenOffsets: readonly number[];
  /** Whether rows' times end with `Z`. Some services add it to a wall clock that is not UTC. */
  isMarkedZ: boolean;
  bounds: WallBounds;
}

/** Times of rows are wall-clock times read as if they were UTC, if rows show a wall clock; otherwise instants. */
export interface WallBounds {
  /** The newest time of any row: the list holds nothing from the future. */
  newest: number | null;
  /** The service's Date header, and the doctor's own clock at that moment. */
  date: number | null;
  ourClock: number;
  /** For each task: the instant of its creation, and the wall-clock time of its earliest call, which came later. */
  firstCalls: readonly { createdAt: number; startAt: number }[];
  /** Offsets written in times of tasks: only a hint, for the wall clock may have another. */
  writtenOffsets: readonly number[];
}

/** Clocks of one service may differ by this much. */
const TOLERANCE = 2 * MINUTE_MS;
/**
 * The longest distance of a bound from the offset: the newest call, and the first calls of two tasks. A clock that is wrong
 * by hours would need two tasks that waited equally long.
 */
const MAX_BOUND_DISTANCE = 6 * MINUTE_MS;
const MIN_TASKS = 2;
/** No zone but UTC itself is closer to UTC than this. */
const MAX_AGE_FOR_Z = 25 * MINUTE_MS;

export function judgeTimeZone(evidence: ZoneEvidence): Finding {
  return evidence.isWall ? judgeByBounds(evidence) : judgeByRanges(evidence);
}

/** For rows that show instants. */
function judgeByRanges(evidence: ZoneEvidence): Finding {
  const { rangeOffset, isConfirmed, otherSeasons, writtenOffsets, newestMs, isMarkedZ, bounds } = evidence;
  if (rangeOffset === null)
    return undetermined("timeZone", "No single offset places the rows in the ranges asked for.");
  const text = formatOffset(rangeOffset);
  if (!isConfirmed)
    return undetermined("timeZone", `${text} fits roughly, but no range of single seconds confirms it.`);
  if (writtenOffsets.some((each) => each !== rangeOffset)) {
    return undetermined("timeZone", `Ranges are read at ${text}, but times are written with another offset.`);
  }
  const age = bounds.date === null || bounds.newest === null ? null : bounds.date - bounds.newest;
  if (age !== null && age < -TOLERANCE) {
    return undetermined("timeZone", "Rows are later than the Date header: their times or a clock must be wrong.");
  }
  if (rangeOffset === 0 && isMarkedZ && (age === null || age > MAX_AGE_FOR_Z)) {
    return undetermined("timeZone", `${text} fits, but no call is recent enough to show that Z means UTC here.`);
  }
  const changed = otherSeasons.filter(({ offset }) => offset !== rangeOffset).map(({ offset }) => formatOffset(offset));
  const season = changed.length > 0 ? ` Half a year ago it was ${changed.join(", ")}.` : "";
  const reason = `Ranges of single seconds returned rows that show instants.${season}`;
  return withZones(rangeOffset, [{ at: newestMs, offset: rangeOffset }, ...otherSeasons], reason);
}

/** For rows that show a wall clock. */
function judgeByBounds({ isConfirmed, bounds }: ZoneEvidence): Finding {
  const { newest, date, ourClock, firstCalls, writtenOffsets } = bounds;
  if (!isConfirmed)
    return undetermined("timeZone", "Rows show a wall clock, and no range of single seconds confirms it.");
  if (newest === null || date === null)
    return undetermined("timeZone", "Rows show a wall clock, and nothing shows an instant.");
  if (Math.abs(date - ourClock) > TOLERANCE) {
    return undetermined("timeZone", "The service's Date header and this machine's clock differ: one is wrong.");
  }
  const min = newest - date - TOLERANCE;
  const gaps = firstCalls.map(({ createdAt, startAt }) => startAt - createdAt);
  const max = Math.min(...gaps) + TOLERANCE;
  const left = offsetsAt(date).filter((offset) => offset >= min && offset <= max);
  const tasks = pluralize(gaps.length, "task");
  const sources = `The newest row against the Date header, and first calls against the creation of their tasks (${tasks})`;
  const [only] = left;
  if (only === undefined || firstCalls.some(({ createdAt }) => createdAt > date + TOLERANCE)) {
    return undetermined("timeZone", `${sources}, contradict each other.`);
  }
  const isNear = (gap: number) => gap - only <= MAX_BOUND_DISTANCE;
  const isTight = gaps.filter(isNear).length >= MIN_TASKS && only - min - TOLERANCE <= MAX_BOUND_DISTANCE;
  if (left.length > 1 || !isTight || writtenOffsets.some((offset) => offset !== only)) {
    const tooFew = left.length === 1 ? ", which too few calls confirm" : "";
    const written = writtenOffsets.map(formatOffset).join(" ");
    const hint = written === "" ? "" : ` Times of tasks are written with ${written}.`;
    const zones = left.flatMap((offset) => zonesWithOffsets([{ at: date, offset }]));
    return {
      ...undetermined("timeZone", `${sources}, leave ${left.map(formatOffset).join(" ")}${tooFew}.${hint}`),
      zones,
    };
  }
  return withZones(only, [{ at: date, offset: only }], `${sources}, leave this one.`);
}

function withZones(offset: number, known: readonly KnownOffset[], evidence: string): Finding {
  return { ...determined("timeZone", formatOffset(offset), evidence), zones: zonesWithOffsets(known) };
}

const MAX_TASKS_ASKED = 3;

/**
 * The earliest calls of tasks whose creation is an instant. A call starts after its task was created, which bounds the offset
 * of the wall clock in its row. Sends at most two requests for each task; rows of the survey count too.
 */
export async function findFirstCalls(
  client: ProbeClient,
  tasks: readonly ObservedTask[],
  rows: readonly ObservedRow[],
): Promise<WallBounds["firstCalls"]> {
  const calls: { createdAt: number; startAt: number }[] = [];
  for (const { taskId, createdAt } of tasks.filter((task) => isInstant(task.createdAt)).slice(0, MAX_TASKS_ASKED)) {
    const { ms } = createdAt;
    const candidates = ms === null ? [] : [...rows, ...(await readEarliestCalls(client, taskId, ms))];
    const starts = candidates
      .filter((row) => row.taskId === taskId && row.times.startAt.form === "wall")
      .flatMap(({ times }) => times.startAt.ms ?? []);
    if (ms !== null && starts.length > 0) calls.push({ createdAt: ms, startAt: Math.min(...starts) });
  }
  return calls;
}

/** Reads the first and the last page: the earliest call is on one of them if the list is ordered by time. */
async function readEarliestCalls(client: ProbeClient, taskId: string, createdAt: number): Promise<ObservedRow[]> {
  const from = wholeSecond(createdAt) - DAY_MS;
  // Holds the first two days of the task in every zone.
  const query = { range: { from, to: from + 3 * DAY_MS }, filters: [`taskId=${taskId}`] };
  const { page } = await client.listCalls(query);
  if (page === null) return [];
  if (isComplete(page) || page.rows.length === 0) return page.rows;
  const last = await client.listCalls({ ...query, pageIndex: Math.ceil(page.total / page.rows.length) });
  return [...page.rows, ...(last.page?.rows ?? [])];
}

const HALF_A_YEAR = 182 * DAY_MS;
/** Summer time moves clocks by an hour, and on Lord Howe Island by half an hour. */
const SHIFTS = [0, 60, -60, 30, -30].map((minutes) => minutes * MINUTE_MS);

/**
 * The offset half a year ago, if a call of that time shows its instant. It separates zones that agree today. Empty: there was
 * no such call, or no shift explains it.
 *
 * @param offset today's offset, ms.
 */
export async function findOtherSeason(
  client: ProbeClient,
  field: TimeField,
  offset: number,
  now: number,
): Promise<KnownOffset[]> {
  const then = wholeSecond(now - HALF_A_YEAR);
  const { page } = await client.listCalls({ range: { from: then - 10 * DAY_MS, to: then + 10 * DAY_MS } });
  const row = page?.rows.find(({ times }) => isInstant(times[field]));
  const at = row?.times[field].ms;
  if (!row || at == null) return [];
  for (const shift of SHIFTS) {
    const wall = wholeSecond(at + offset + shift);
    const result = await client.listCalls({ range: { from: wall - 1000, to: wall + 1000 } });
    if (isPresent(result, row.key) === true) return [{ at, offset: offset + shift }];
  }
  return [];
}

const wholeSecond = (ms: number) => Math.floor(ms / 1000) * 1000;
