// Asks the first questions: recent calls over a wide enough range, its second page, some tasks, and two pages that must be empty.
import type { ListResult, ProbeClient, Range } from "./probeClient.ts";
import type { ObservedPage, ObservedRow, ObservedTask } from "./observe.ts";
import { DAY_MS, HOUR_MS } from "../util/durations.ts";

export interface Survey {
  /** Pages 1 and 2 of the widest range asked for. */
  pages: ObservedPage[];
  /** Every row received, once, in the order of the pages. */
  rows: ObservedRow[];
  tasks: ObservedTask[];
  noMatches: ListResult;
  beyondEnd: ListResult;
  /** The Date header of the first answer, epoch ms, and the doctor's own clock at that moment. */
  date: number | null;
  ourClock: number;
  /** The status of the first answer, if it was not a page. */
  refusedStatus: number | null;
}

/** No zone is further ahead of UTC. */
const MAX_ZONE_OFFSET = 15 * HOUR_MS;
/** Widths of the range, tried in order until there is more than one page. */
const WIDTHS_DAYS = [2, 8, 32, 400];
const ENOUGH_CALLS = 101;
const LONG_AGO: Range = { from: Date.UTC(1971, 0, 2), to: Date.UTC(1971, 0, 3) };
const MAX_TASKS = 4;

export async function takeSurvey(client: ProbeClient, clock: () => number): Promise<Survey> {
  const first = await client.listCalls({});
  const date = first.page?.date ?? null;
  const ourClock = clock();
  const nothing: ListResult = { page: null, status: 0 };
  const empty = { pages: [], rows: [], tasks: [], noMatches: nothing, beyondEnd: nothing, date, ourClock };
  if (first.page === null) return { ...empty, refusedStatus: first.status };

  const { range, page } = await widenRange(client, wholeSecond(date ?? ourClock));
  const second = page && page.rows.length < page.total ? (await client.listCalls({ range, pageIndex: 2 })).page : null;
  const pages = [page, second].filter((each) => each !== null);
  const rows = uniqueRows([...pages, first.page].flatMap((each) => each.rows));
  return {
    ...empty,
    pages,
    rows,
    tasks: await readTasks(client, rows),
    noMatches: await client.listCalls({ range: LONG_AGO }),
    beyondEnd: await client.listCalls({ range, pageIndex: (page?.total ?? 0) + 10 }),
    refusedStatus: null,
  };
}

/** Keeps the first of rows with the same key. */
export function uniqueRows(rows: readonly ObservedRow[]): ObservedRow[] {
  const byKey = new Map<string, ObservedRow>();
  for (const row of rows) if (!byKey.has(row.key)) byKey.set(row.key, row);
  return [...byKey.values()];
}

async function widenRange(client: ProbeClient, now: number): Promise<{ range: Range; page: ObservedPage | null }> {
  let widest: { range: Range; page: ObservedPage | null } = { range: { from: now, to: now }, page: null };
  for (const days of WIDTHS_DAYS) {
    const range = { from: now - days * DAY_MS, to: now + MAX_ZONE_OFFSET };
    const { page } = await client.listCalls({ range });
    // The range may be too wide for the service: the narrower one still counts.
    if (page === null) return widest;
    widest = { range, page };
    if (page.total >= ENOUGH_CALLS) return widest;
  }
  return widest;
}

async function readTasks(client: ProbeClient, rows: readonly ObservedRow[]): Promise<ObservedTask[]> {
  const ids = [...new Set(rows.map(({ taskId }) => taskId).filter((id) => id !== null))];
  const tasks: ObservedTask[] = [];
  for (const id of ids.slice(0, MAX_TASKS)) {
    const task = await client.getTask(id);
    if (task) tasks.push(task);
  }
  return tasks;
}

const wholeSecond = (ms: number) => Math.floor(ms / 1000) * 1000;
