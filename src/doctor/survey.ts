// The first looks: the newest calls in a range that holds enough of them, its second page, and two pages that are empty.
import type { Asker, Look, Range } from "./gentleClient.ts";
import type { SeenPage, SeenRow, SeenTask } from "./observed.ts";

export interface Survey {
  /** Page 1 and 2 of the widest range looked at. */
  pages: SeenPage[];
  /** Every row that came, once, in the order of the pages. */
  rows: SeenRow[];
  tasks: SeenTask[];
  noMatches: Look;
  beyondEnd: Look;
  /** The newest answer's Date header, epoch ms, and our clock then. */
  date: number | null;
  ours: number;
  /** The status that the first request was answered with, where it was no page. */
  refused: number | null;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** No zone is further ahead of UTC. */
const AHEAD = 15 * HOUR;
/** Wider and wider, until there is more than a page. */
const DAYS = [2, 8, 32, 400];
const ENOUGH = 101;
const LONG_AGO: Range = { from: Date.UTC(1971, 0, 2), to: Date.UTC(1971, 0, 3) };
const MOST_TASKS = 4;

export async function takeSurvey(ask: Asker, clock: () => number): Promise<Survey> {
  const first = await ask.list({});
  const date = first.page?.date ?? null;
  const ours = clock();
  const nothing: Look = { page: null, status: 0 };
  const empty = { pages: [], rows: [], tasks: [], noMatches: nothing, beyondEnd: nothing, date, ours };
  if (first.page === null) return { ...empty, refused: first.status };

  const { range, page } = await widen(ask, secondOf(date ?? ours));
  const second = page && page.rows.length < page.total ? (await ask.list({ range, pageIndex: 2 })).page : null;
  const pages = [page, second].filter((each) => each !== null);
  const rows = once([...pages, first.page].flatMap((each) => each.rows));
  return {
    ...empty,
    pages,
    rows,
    tasks: await readTasks(ask, rows),
    noMatches: await ask.list({ range: LONG_AGO }),
    beyondEnd: await ask.list({ range, pageIndex: (page?.total ?? 0) + 10 }),
    refused: null,
  };
}

/** A row that came twice counts once, where it came first. */
export function once(rows: readonly SeenRow[]): SeenRow[] {
  const byKey = new Map<string, SeenRow>();
  for (const row of rows) if (!byKey.has(row.key)) byKey.set(row.key, row);
  return [...byKey.values()];
}

async function widen(ask: Asker, now: number): Promise<{ range: Range; page: SeenPage | null }> {
  let best: { range: Range; page: SeenPage | null } = { range: { from: now, to: now }, page: null };
  for (const days of DAYS) {
    const range = { from: now - days * DAY, to: now + AHEAD };
    const { page } = await ask.list({ range });
    // Too wide for the service, perhaps: what was seen before still counts.
    if (page === null) return best;
    best = { range, page };
    if (page.total >= ENOUGH) return best;
  }
  return best;
}

async function readTasks(ask: Asker, rows: readonly SeenRow[]): Promise<SeenTask[]> {
  const ids = [...new Set(rows.map(({ taskId }) => taskId).filter((id) => id !== null))];
  const tasks: SeenTask[] = [];
  for (const id of ids.slice(0, MOST_TASKS)) {
    const task = await ask.task(id);
    if (task) tasks.push(task);
  }
  return tasks;
}

const secondOf = (ms: number) => Math.floor(ms / 1000) * 1000;
