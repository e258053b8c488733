// A range of the past that is read whole, to hold filters against: enough different calls, and few enough to count.
import { isWhole, type Asker, type Range } from "./ask.ts";
import type { SeenRow } from "./observed.ts";
import { once } from "./survey.ts";

export interface Baseline {
  range: Range;
  rows: SeenRow[];
}

const MOST_ROWS = 40;
const MOST_PAGES = 3;

/** @param offset from the rows' times to the wall clock. Null: there is no such range. */
export async function readBaseline(
  ask: Asker,
  rows: readonly SeenRow[],
  offset: number,
  pageSize: number,
): Promise<Baseline | null> {
  const range = pickRange(rows, offset, Math.min(MOST_ROWS, Math.max(4, pageSize * 2)));
  if (!range) return null;
  const all: SeenRow[] = [];
  for (let pageIndex = 1; pageIndex <= MOST_PAGES; pageIndex += 1) {
    const { page } = await ask.list({ range, pageIndex });
    if (page === null) return null;
    all.push(...page.rows);
    const read = once(all);
    if (isWhole({ ...page, rows: read })) return { range, rows: read };
    if (page.rows.length === 0) return null;
  }
  return null;
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
