// The zone of the service's wall clock, as an offset from UTC. What is told of instants (by rows, or by tasks and the
// Date header) bounds it; one offset must be left. Which of the zones that keep it is meant, no answer tells.
import { counted, determined, undetermined, type Finding } from "./finding.ts";
import { MINUTE, offsetsAt, offsetText, zonesOf, type Held } from "./offsets.ts";

export interface ZoneEvidence {
  /** Rows tell instants, and this offset places them in ranges; null: none was found, or rows tell a wall clock. */
  found: number | null;
  /** Epoch ms of the newest row that it places. */
  now: number;
  /** Whether rows tell the wall clock itself. */
  isWall: boolean;
  /** Whether ranges to the second met rows where that offset (of a wall clock: none) puts them. */
  isConfirmed: boolean;
  /** Offsets of other seasons, as they were seen to hold; they tell zones apart that agree today. */
  seasons: readonly Held[];
  /** Offsets written into RFC 3339 times of rows; `Z` says nothing. */
  shown: readonly number[];
  /** Whether times of rows are marked with `Z`, as some services mark a wall clock that is none of UTC. */
  isMarkedZ: boolean;
  bounds: WallBounds;
}

/** Of rows that tell a wall clock, its digits as if they were UTC; of others, instants. */
export interface WallBounds {
  /** The newest time of any row: nothing in the list is of the future. */
  newest: number | null;
  /** The service's Date header then, and our own clock. */
  date: number | null;
  ours: number;
  /** For each task: its creation, an instant, and the wall clock of its earliest call seen, which came later. */
  firstCalls: readonly { createdAt: number; startAt: number }[];
  /** Offsets written into times of tasks: a hint, for they need not be those of the wall clock. */
  shown: readonly number[];
}

/** Clocks of one service may differ by this. */
const TOLERANCE = 2 * MINUTE;
/**
 * Both bounds are as near as this, the upper one for two tasks: a call of the last minutes, and calls right after the
 * creation of their tasks. A clock that is wrong by hours would have to meet two tasks that waited as long.
 */
const TIGHT = 6 * MINUTE;
const FEWEST_TASKS = 2;
/** No zone is as near to UTC, but itself. */
const RECENT = 25 * MINUTE;

export function timeZone(evidence: ZoneEvidence): Finding {
  return evidence.isWall ? ofWall(evidence) : ofInstants(evidence);
}

function ofInstants({ found, isConfirmed, seasons, shown, now, isMarkedZ, bounds }: ZoneEvidence): Finding {
  if (found === null) return undetermined("timeZone", "No single offset places the rows in the ranges asked for.");
  const text = offsetText(found);
  if (!isConfirmed) return undetermined("timeZone", `${text} fits roughly, but no range to the second confirms it.`);
  if (shown.some((each) => each !== found)) {
    return undetermined("timeZone", `Ranges are read at ${text}, but times are written with another offset.`);
  }
  const age = bounds.date === null || bounds.newest === null ? null : bounds.date - bounds.newest;
  if (age !== null && age < -TOLERANCE) {
    return undetermined("timeZone", "Rows are of the future by the Date header: their times or a clock must be wrong.");
  }
  if (found === 0 && isMarkedZ && (age === null || age > RECENT)) {
    return undetermined("timeZone", `${text} fits, but no call is new enough to tell that Z means UTC in its times.`);
  }
  const elsewhen = seasons.filter(({ offset }) => offset !== found).map(({ offset }) => offsetText(offset));
  const others = elsewhen.length > 0 ? ` Half a year ago it was ${elsewhen.join(", ")}.` : "";
  const evidence = `Ranges to the second met rows whose instants are told.${others}`;
  return withZones(found, [{ at: now, offset: found }, ...seasons], evidence);
}

function ofWall({ isConfirmed, bounds }: ZoneEvidence): Finding {
  const { newest, date, ours, firstCalls, shown } = bounds;
  if (!isConfirmed) return undetermined("timeZone", "Rows tell a wall clock, which the range could not be held to.");
  if (newest === null || date === null)
    return undetermined("timeZone", "Rows tell a wall clock, and nothing an instant.");
  if (Math.abs(date - ours) > TOLERANCE) {
    return undetermined("timeZone", "The service's Date header and our clock differ: nothing tells which is right.");
  }
  const least = newest - date - TOLERANCE;
  const gaps = firstCalls.map(({ createdAt, startAt }) => startAt - createdAt);
  const most = Math.min(...gaps) + TOLERANCE;
  const left = offsetsAt(date).filter((offset) => offset >= least && offset <= most);
  const seen = `The newest row against the Date header, and first calls against their tasks' creation (${counted(gaps.length, "task")})`;
  const [only] = left;
  if (only === undefined || firstCalls.some(({ createdAt }) => createdAt > date + TOLERANCE)) {
    return undetermined("timeZone", `${seen}, contradict each other.`);
  }
  const isNear = (gap: number) => gap - only <= TIGHT;
  const isPinned = gaps.filter(isNear).length >= FEWEST_TASKS && only - least - TOLERANCE <= TIGHT;
  if (left.length > 1 || !isPinned || shown.some((offset) => offset !== only)) {
    const few = left.length === 1 ? ", which too few calls confirm" : "";
    const hint = shown.length > 0 ? ` Times of tasks are written with ${shown.map(offsetText).join(" ")}.` : "";
    const zones = left.flatMap((offset) => zonesOf([{ at: date, offset }]));
    return { ...undetermined("timeZone", `${seen}, leave ${left.map(offsetText).join(" ")}${few}.${hint}`), zones };
  }
  return withZones(only, [{ at: date, offset: only }], `${seen}, leave this one.`);
}

function withZones(offset: number, held: readonly Held[], evidence: string): Finding {
  const zones = zonesOf(held);
  return { ...determined("timeZone", offsetText(offset), evidence), zones };
}
