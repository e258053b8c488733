// Examines a service: sends all requests in order, and collects one finding for each question.
import { findOffset } from "./findOffset.ts";
import { findFirstCalls, findOtherSeason, judgeTimeZone } from "./findTimeZone.ts";
import type { Finding } from "./finding.ts";
import {
  judgeBeyondEnd,
  judgeCallLogTimes,
  judgeIdSizes,
  judgeMissingTimes,
  judgeNoMatches,
  judgePageClamp,
  judgeSortOrder,
  judgeTaskTimes,
} from "./judgeRows.ts";
import { isInstant, type ObservedRow } from "./observe.ts";
import type { ProbeClient } from "./probeClient.ts";
import { probeFilters, readBaseline } from "./probeFilters.ts";
import {
  findFilteredField,
  isExactField,
  judgeRangeEnds,
  judgeRangeField,
  pickProbeCalls,
  probeEnds,
  probeFields,
  type EndProbe,
  type FieldProbe,
} from "./rangeFilter.ts";
import { takeSurvey, type Survey } from "./survey.ts";

export type Examination =
  | { findings: Finding[] }
  /** The status of the first answer, if it was not a page. 0: a 2xx that is not a call list. */
  | { refusedStatus: number };

/** Three days: a clock change within them is unlikely. */
const RECENT_MS = 259_200_000;

/** Sends no more requests than the client allows. Throws UPSTREAM_* if the service cannot be reached. */
export async function examine(client: ProbeClient, clock: () => number): Promise<Examination> {
  const survey = await takeSurvey(client, clock);
  if (survey.refusedStatus !== null) return { refusedStatus: survey.refusedStatus };
  const { rows, tasks, pages } = survey;

  const isWall = showsWallClock(rows);
  const rangeOffset = isWall ? null : await findOffset(client, rows);
  const offset = isWall ? 0 : rangeOffset;
  const range = offset === null ? { probes: [], ends: [] } : await probeRange(client, rows, offset, isWall);
  const field = findFilteredField(range.probes);
  const isConfirmed = field !== null && isExactField(range.ends);
  const baseline = offset === null ? null : await readBaseline(client, rows, offset, pages[0]?.rows.length ?? 0);
  const filters = await probeFilters(client, baseline);
  const newest = newestOf(rows);
  const otherSeasons =
    rangeOffset !== null && isConfirmed ? await findOtherSeason(client, field, rangeOffset, newest ?? clock()) : [];
  const firstCalls = isWall && isConfirmed ? await findFirstCalls(client, tasks, rows) : [];

  return {
    findings: [
      judgeTimeZone({
        rangeOffset,
        newestMs: newest ?? survey.ourClock,
        isWall,
        isConfirmed,
        otherSeasons,
        writtenOffsets: rowOffsets(rows, newest),
        isMarkedZ: rows.some(({ times }) => times.startAt.form === "rfc3339" && times.startAt.writtenOffset === null),
        bounds: {
          newest,
          date: survey.date,
          ourClock: survey.ourClock,
          firstCalls,
          writtenOffsets: taskOffsets(survey),
        },
      }),
      judgeRangeField(range.probes, range.ends),
      judgeRangeEnds(isConfirmed ? range.ends : []),
      judgeSortOrder(pages.flatMap((page) => page.rows)),
      judgePageClamp(pages),
      ...filters,
      judgeCallLogTimes(rows),
      judgeTaskTimes(tasks),
      judgeMissingTimes(rows),
      judgeNoMatches(survey.noMatches),
      judgeBeyondEnd(survey.beyondEnd),
      judgeIdSizes(rows, tasks),
    ],
  };
}

async function probeRange(client: ProbeClient, rows: readonly ObservedRow[], offset: number, isWall: boolean) {
  const newest = newestOf(rows) ?? 0;
  const isUsable = ({ times: { startAt, endAt } }: ObservedRow) =>
    isWall || (isInstant(startAt) && isInstant(endAt) && newest - (startAt.ms ?? 0) <= RECENT_MS);
  const calls = pickProbeCalls(rows, isUsable);
  const probes: FieldProbe[] = [];
  for (const row of calls) probes.push(await probeFields(client, row, offset));
  const field = findFilteredField(probes);
  const ends: EndProbe[] = [];
  if (field) for (const row of calls) ends.push(await probeEnds(client, row, field, offset));
  return { probes, ends };
}

/** Whether every time of every row is a wall-clock time. */
function showsWallClock(rows: readonly ObservedRow[]): boolean {
  const times = rows.flatMap(({ times }) => Object.values(times)).filter(({ ms }) => ms !== null);
  return times.length > 0 && times.every(({ form }) => form === "wall");
}

function newestOf(rows: readonly ObservedRow[]): number | null {
  const times = rows.flatMap(({ times }) => [times.startAt.ms, times.endAt.ms]).filter((ms) => ms !== null);
  return times.length > 0 ? times.reduce((a, b) => Math.max(a, b)) : null;
}

/** Offsets written in times of tasks. */
function taskOffsets({ tasks }: Survey): number[] {
  const offsets = tasks.map(({ createdAt }) => createdAt.writtenOffset).filter((offset) => offset !== null);
  return [...new Set(offsets)];
}

/** Offsets written in times of rows of the last three days. */
function rowOffsets(rows: readonly ObservedRow[], newest: number | null): number[] {
  const recent = rows.filter(({ times }) => (newest ?? 0) - (times.startAt.ms ?? 0) <= RECENT_MS);
  const offsets = recent.flatMap(({ times }) => Object.values(times)).map(({ writtenOffset }) => writtenOffset);
  return [...new Set(offsets.filter((offset) => offset !== null))];
}
