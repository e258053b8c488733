// A range of the past that is read whole, to hold filters against: enough different calls, and few enough to count.
import type { Asker, Range } from "./gentleClient.ts";
import type { SeenPage, SeenRow } from "./observed.ts";
import { once } from "./survey.ts";

export interface Baseline {
  range: Range;
  rows: SeenRow[];
}

const MOST_ROWS = 40;
const MOST_PAGES = 3;
/** A service that ignores ranges and page sizes gives all it has. */
const MOST_TOTAL = 300;
const MOST_TRIES = 4;

/** @param offset from the rows' times to the wall clock. Null: there is no such range. */
export async function readBaseline(
  ask: Asker,
  rows: readonly SeenRow[],
  offset: number,
  pageSize: number,
): Promise<Baseline | null> {
  const size = Math.min(MOST_ROWS, Math.max(4, pageSize * 2));
  let range = pickRange(rows, offset, size);
  for (let tries = 0; range && tries < MOST_TRIES; tries += 1) {
    const { page } = await ask.list({ range });
    if (page === null) return null;
    if (page.total <= Math.min(page.rows.length * MOST_PAGES, MOST_TOTAL)) return readRest(ask, range, page);
    // In a long list that is not in the order of time, rows that were seen lie far apart: a part of it will do.
    range = partOf(range, (size * 0.7) / page.total);
  }
  return null;
}

async function readRest(ask: Asker, range: Range, first: SeenPage): Promise<Baseline | null> {
  const all = [...first.rows];
  for (let pageIndex = 2; once(all).length < first.total && pageIndex <= MOST_PAGES; pageIndex += 1) {
    const { page } = await ask.list({ range, pageIndex });
    if (page === null) return null;
    all.push(...page.rows);
  }
  const read = once(all);
  return read.length === first.total ? { range, rows: read } : null;
}

/** From its middle on, for calls are more often there than at its ends. */
function partOf({ from, to }: Range, share: number): Range {
  const width = Math.floor(((to - from) * share) / 1000) * 1000;
  const middle = from + Math.floor((to - from) / 2000) * 1000;
  return { from: middle, to: middle + width };
}

/** Of the stretches of so many rows, the one that knows most assistants and tasks. */
function pickRange(rows: readonly SeenRow[], offset: number, size: number): Range | null {
  const ended = rows
    .filter(({ times }) => times.startAt.ms !== null && times.endAt.ms !== null)
    .toSorted((a, b) => startOf(a) - startOf(b));
  const stretches = Array.from({ length: Math.max(1, ended.length - size + 1) }, (_, at) => ended.slice(at, at + size));
  const best = stretches.reduce((a, b) => (variety(b) > variety(a) ? b : a));
  const [first, last] = [best[0], best.at(-1)];
  if (!first || !last || best.length < 2) return null;
  const ends = best.map(({ times }) => times.endAt.ms ?? 0);
  const second = (ms: number) => Math.floor((ms + offset) / 1000) * 1000;
  return { from: second(startOf(first)) - 2000, to: second(Math.max(...ends)) + 2000 };
}

function variety(rows: readonly SeenRow[]): number {
  const assistants = new Set(rows.flatMap(({ assistantIds }) => assistantIds));
  const tasks = new Set(rows.map(({ taskId }) => taskId));
  const directions = new Set(rows.map(({ direction }) => direction));
  return assistants.size + tasks.size + directions.size;
}

const startOf = ({ times }: SeenRow) => times.startAt.ms ?? 0;
