// The examination from the first look to the last, question by question. Whatever cannot be seen stays undetermined.
import type { Asker } from "./gentleClient.ts";
import { readBaseline } from "./baseline.ts";
import { findOffset } from "./findOffset.ts";
import type { Finding } from "./finding.ts";
import { firstCalls } from "./firstCalls.ts";
import type { SeenRow } from "./observed.ts";
import { probeFilters } from "./probeFilters.ts";
import { filteredField, isExact, rangeEnds, rangeField } from "./rangeSemantics.ts";
import { pickProbes, probeEnds, probeFields, type EndProbe, type FieldProbe } from "./rangeProbe.ts";
import { findSeasons } from "./seasons.ts";
import { beyondEnd, callLogTimes, idSizes, missingTimes, noMatches, pageClamp, taskTimes } from "./valueForms.ts";
import { sortOrder } from "./sortOrder.ts";
import { takeSurvey, type Survey } from "./survey.ts";
import { isInstant } from "./timeForm.ts";
import { timeZone } from "./findTimeZone.ts";

export type Examination =
  | { findings: Finding[] }
  /** The first request was answered with this status, and not with a page; 0: with 200, and no call list. */
  | { refused: number };

/** Three days: a change of the clocks is rarely among them. */
const NEAR = 259_200_000;

/** Asks no more than its asker allows. Throws UPSTREAM_* where the service cannot be reached. */
export async function examine(ask: Asker, clock: () => number): Promise<Examination> {
  const survey = await takeSurvey(ask, clock);
  if (survey.refused !== null) return { refused: survey.refused };
  const { rows, tasks, pages } = survey;

  const isWall = isWallClock(rows);
  const found = isWall ? null : await findOffset(ask, rows);
  const offset = isWall ? 0 : found;
  const range = offset === null ? { probes: [], ends: [] } : await probeRange(ask, rows, offset, isWall);
  const field = filteredField(range.probes);
  const isConfirmed = field !== null && isExact(range.ends);
  const baseline = offset === null ? null : await readBaseline(ask, rows, offset, pages[0]?.rows.length ?? 0);
  const filters = await probeFilters(ask, baseline);
  const newest = newestOf(rows);
  const seasons = found !== null && isConfirmed ? await findSeasons(ask, field, found, newest ?? clock()) : [];
  const calls = isWall && isConfirmed ? await firstCalls(ask, tasks, rows) : [];

  return {
    findings: [
      timeZone({
        found,
        now: newest ?? survey.ours,
        isWall,
        isConfirmed,
        seasons,
        shown: shownOffsets(rows, newest),
        isMarkedZ: rows.some(({ times }) => times.startAt.form === "rfc3339" && times.startAt.shownOffset === null),
        bounds: { newest, date: survey.date, ours: survey.ours, firstCalls: calls, shown: shownByTasks(survey) },
      }),
      rangeField(range.probes, range.ends),
      rangeEnds(isConfirmed ? range.ends : []),
      sortOrder(pages.flatMap((page) => page.rows)),
      pageClamp(pages),
      ...filters,
      ...shapesOf(survey),
    ],
  };
}

function shapesOf({ rows, tasks, noMatches: none, beyondEnd: beyond }: Survey): Finding[] {
  return [
    callLogTimes(rows),
    taskTimes(tasks),
    missingTimes(rows),
    noMatches(none),
    beyondEnd(beyond),
    idSizes(rows, tasks),
  ];
}

async function probeRange(ask: Asker, rows: readonly SeenRow[], offset: number, isWall: boolean) {
  const newest = newestOf(rows) ?? 0;
  const isUsable = ({ times: { startAt, endAt } }: SeenRow) =>
    isWall || (isInstant(startAt) && isInstant(endAt) && newest - (startAt.ms ?? 0) <= NEAR);
  const probed = pickProbes(rows, isUsable);
  const probes: FieldProbe[] = [];
  for (const row of probed) probes.push(await probeFields(ask, row, offset));
  const field = filteredField(probes);
  const ends: EndProbe[] = [];
  if (field) for (const row of probed) ends.push(await probeEnds(ask, row, field, offset));
  return { probes, ends };
}

/** Every time that is there is of the wall clock. */
function isWallClock(rows: readonly SeenRow[]): boolean {
  const times = rows.flatMap(({ times }) => Object.values(times)).filter(({ ms }) => ms !== null);
  return times.length > 0 && times.every(({ form }) => form === "wall");
}

function newestOf(rows: readonly SeenRow[]): number | null {
  const times = rows.flatMap(({ times }) => [times.startAt.ms, times.endAt.ms]).filter((ms) => ms !== null);
  return times.length > 0 ? times.reduce((a, b) => Math.max(a, b)) : null;
}

function shownByTasks({ tasks }: Survey): number[] {
  const shown = tasks.map(({ createdAt }) => createdAt.shownOffset).filter((offset) => offset !== null);
  return [...new Set(shown)];
}

function shownOffsets(rows: readonly SeenRow[], newest: number | null): number[] {
  const near = rows.filter(({ times }) => (newest ?? 0) - (times.startAt.ms ?? 0) <= NEAR);
  const shown = near.flatMap(({ times }) => Object.values(times)).map(({ shownOffset }) => shownOffset);
  return [...new Set(shown.filter((offset) => offset !== null))];
}
