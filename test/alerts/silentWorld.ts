// A gateway that watches tasks of a service by a clock of the test.
import { createTaskLooks } from "../../src/alerts/taskLooks.ts";
import { createTaskFacts } from "../../src/gateway/taskFacts.ts";
import type { TaskDays } from "../../src/config/variables.ts";
import { instantOf } from "../../src/format/instant.ts";
import { MINUTE_MS } from "../../src/util/durations.ts";
import type { Requester } from "../../src/upstream/requester.ts";
import type { TaskRegistry } from "../../src/tasks/taskRegistry.ts";
import type { CallLogQuery, TaskRecord } from "../../src/upstream/upstream.ts";
import { callEnded, NOW } from "../events/callEnded.ts";
import { callLog, task } from "../resolvers/world.ts";
import { silentLog } from "../support/silentLog.ts";
import { until } from "../support/until.ts";
import { alertSetup } from "./contract.ts";
import { rulesOf } from "./judging.ts";

const { gatewayOn, start } = alertSetup;
export type Gateway = Awaited<ReturnType<typeof gatewayOn>>;

/** So many minutes after NOW, 17:30 by the service's clock. */
export const at = (minutes: number) => NOW + minutes * MINUTE_MS;
export const noCalls = (own: object = {}) => ({ name: "silence", kind: "noCalls", tasks: ["7"], minutes: 20, ...own });
export const peopleLeft = (own: object = {}) => ({
  name: "left",
  kind: "peopleLeft",
  tasks: ["7"],
  atLeast: 10,
  ...own,
});

const option = (periods: readonly (readonly string[])[], startDate: string) => () => ({
  numberFileMeta: [],
  lineIds: [],
  startDate,
  periods: periods.map((period) => [...period]),
  retryCount: null,
  retryInterval: null,
});

/** A task that calls on each day, by default all day. */
export const running = (own: Partial<TaskRecord> = {}, periods = [["00:00", "24:00"]], startDate = "2026-11-18") =>
  task({ status: "running", option: option(periods, startDate), ...own });

/** A service whose task 7 runs, and whose list shows no call. */
export function service() {
  return {
    now: NOW,
    tasks: new Map<string, TaskRecord | Error | "never">([["7", running()]]),
    listed: 0 as number | Error | "never",
    asked: [] as string[],
    /** The tasks of each list. */
    lists: [] as string[][],
    days: "daily" as TaskDays | null,
  };
}
export type Service = ReturnType<typeof service>;

export const opened = (url: string, own: Service) => gatewayOn(url, () => own.now);

/** Looks at rules. `look` resolves when a look at that minute has ended. */
export async function watching(gateway: Gateway, own: Service, rules: readonly object[], { isStuck = false } = {}) {
  const never = (requester?: Requester) =>
    new Promise<never>((_, reject) => {
      if (requester?.signal?.aborted) reject(new Error("The request was ended."));
      requester?.signal?.addEventListener("abort", () => reject(new Error("The request was ended.")));
    });
  const upstream = {
    async getTask(taskId: string, requester?: Requester) {
      own.asked.push(taskId);
      const found = own.tasks.get(taskId) ?? null;
      if (found === "never") return never(requester);
      if (found instanceof Error) throw found;
      return found;
    },
    async listCallLogs({ taskIds, pageIndex, pageSize }: CallLogQuery, requester?: Requester) {
      own.lists.push([...taskIds]);
      if (own.listed === "never") return never(requester);
      if (own.listed instanceof Error) throw own.listed;
      return { rows: own.listed > 0 ? [callLog()] : [], total: own.listed, pageIndex, pageSize };
    },
  };
  const clock = () => own.now;
  const { days } = own;
  const { taskLooks, knownTasks } = gateway.store;
  const tasks: Pick<TaskRegistry, "page"> = { page: (after, limit) => knownTasks.page({ after, limit }) };
  const facts = createTaskFacts({ upstream, store: taskLooks, tasks, timeZone: "Asia/Shanghai", days, clock });
  const looks = createTaskLooks({ facts, clock, log: silentLog, ...(own.listed === "never" && { listsMs: 50 }) });
  let finds = 0;
  const find: typeof looks.find = async (...asked) => {
    const found = await looks.find(...asked);
    finds += 1;
    return found;
  };
  const known = await rulesOf(...rules);
  const begun = start(gateway, known, { conditions: [find], clock, isStuck });
  async function look(...minutes: number[]): Promise<void> {
    for (const each of minutes) {
      own.now = at(each);
      const before = finds;
      // The next but one has begun at that minute, and the one before it is written.
      await until(() => finds > before + 2);
    }
  }
  async function doubts(): Promise<string[]> {
    const found = await gateway.store.taskLooks.doubts();
    return known.flatMap(({ name }) => found.get(name) ?? []);
  }
  return { ...begun, look, doubts };
}

/** Each minute of a range. */
export const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, each) => first + each);

/** A call that ended at that minute, and became known then. */
export function end(
  { events }: Gateway,
  own: Service,
  minutes: number,
  more: Partial<Parameters<typeof callEnded>[0]> = {},
) {
  own.now = at(minutes);
  const call = { sessionId: `call ${minutes}`, taskId: "7", endAt: instantOf(at(minutes)), ...more };
  return events.append(callEnded(call), "WEBHOOK");
}
