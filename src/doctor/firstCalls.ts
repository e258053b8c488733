// The earliest calls of tasks whose creation is told as an instant: a call came after its task was made, which bounds
// the offset of the wall clock that its row tells.
import type { Asker } from "./ask.ts";
import { isInstant } from "./timeForm.ts";
import type { SeenRow, SeenTask } from "./observed.ts";
import type { WallBounds } from "./timeZone.ts";

const DAY = 86_400_000;
const MOST_TASKS = 3;

/** One request for each task. Rows that the survey saw count too. */
export async function firstCalls(
  ask: Asker,
  tasks: readonly SeenTask[],
  rows: readonly SeenRow[],
): Promise<WallBounds["calls"]> {
  const calls: { createdAt: number; startAt: number }[] = [];
  for (const { taskId, createdAt } of tasks.filter((task) => isInstant(task.createdAt)).slice(0, MOST_TASKS)) {
    const { ms } = createdAt;
    if (ms === null) continue;
    const from = Math.floor(ms / 1000) * 1000 - DAY;
    // Two days hold its first call in any zone; where more than a page came, the rows seen are bounds all the same.
    const { page } = await ask.list({ range: { from, to: from + 3 * DAY }, filters: [`taskId=${taskId}`] });
    const own = [...rows, ...(page?.rows ?? [])].filter((row) => row.taskId === taskId);
    const starts = own.map(({ times }) => (times.startAt.form === "wall" ? times.startAt.ms : null));
    calls.push(...starts.filter((start) => start !== null).map((startAt) => ({ createdAt: ms, startAt })));
  }
  return calls;
}
