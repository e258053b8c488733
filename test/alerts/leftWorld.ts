// Tasks with people left, which call by day.
import type { TaskRecord } from "../../src/upstream/upstream.ts";
import type { postgres } from "../store/databases.ts";
import { opened, peopleLeft, running, service, watching } from "./silentWorld.ts";

export const DAY = [["09:00", "18:00"]];
/** NOW is 17:30. So many minutes later the hours of the next day begin, and end. */
export const MORNING = 15.5 * 60;
export const EVENING = MORNING + 9 * 60;

/** 1,000 people, of which 40 percent are done, by day. */
export const left = (own: Partial<TaskRecord> = {}, periods = DAY, startDate?: string) =>
  running({ total: 1000, progress: 40, ...own }, periods, startDate);

/** A gateway that looks at such a task. */
export async function begunOn(
  { create }: Pick<typeof postgres, "create">,
  task = left(),
  { rule = {}, own = service() }: { rule?: object; own?: ReturnType<typeof service> } = {},
) {
  own.tasks.set("7", task);
  const gateway = await opened((await create()).url, own);
  return { gateway, own, ...(await watching(gateway, own, [peopleLeft(rule)])) };
}
