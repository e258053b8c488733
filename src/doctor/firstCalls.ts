// The earliest calls of tasks whose creation is told as an instant: a call came after its task was made, which bounds
// the offset of the wall clock that its row tells.
import { isWhole, type Asker } from "./gentleClient.ts";
import { isInstant } from "./timeForm.ts";
import type { SeenRow, SeenTask } from "./observed.ts";
import type { WallBounds } from "./findTimeZone.ts";

const DAY = 86_400_000;
const MOST_TASKS = 3;

/** At most two requests for each task. Rows that the survey saw count too. */
export async function firstCalls(
  ask: Asker,
  tasks: readonly SeenTask[],
  rows: readonly SeenRow[],
): Promise<WallBounds["firstCalls"]> {
  const calls: { createdAt: number; startAt: number }[] = [];
  for (const { taskId, createdAt } of tasks.filter((task) => isInstant(task.createdAt)).slice(0, MOST_TASKS)) {
    const { ms } = createdAt;
    const own = ms === null ? [] : [...rows, ...(await earliest(ask, taskId, ms))];
    const starts = own
      .filter((row) => row.taskId === taskId && row.times.startAt.form === "wall")
      .flatMap(({ times }) => times.startAt.ms ?? []);
    if (ms !== null && starts.length > 0) calls.push({ createdAt: ms, startAt: Math.min(...starts) });
  }
  return calls;
}

/** The first page and the last: in whichever order they come, the earliest call is mostly there. */
async function earliest(ask: Asker, taskId: string, createdAt: number): Promise<SeenRow[]> {
  const from = Math.floor(createdAt / 1000) * 1000 - DAY;
  // In any zone, the first two days of the task are in it.
  const question = { range: { from, to: from + 3 * DAY }, filters: [`taskId=${taskId}`] };
  const { page } = await ask.list(question);
  if (page === null) return [];
  if (isWhole(page) || page.rows.length === 0) return page.rows;
  const last = await ask.list({ ...question, pageIndex: Math.ceil(page.total / page.rows.length) });
  return [...page.rows, ...(last.page?.rows ?? [])];
}
