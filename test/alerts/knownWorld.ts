// What gateways know of tasks, for rules that name none.
import type { Alert } from "../../src/store/alerts/alertRows.ts";
import { instantOf } from "../../src/format/instant.ts";
import { DAY_MS } from "../../src/util/durations.ts";
import { alertSetup } from "./contract.ts";
import { minute } from "./judging.ts";
import { at, from, noCalls, type Gateway } from "./silentWorld.ts";

const { all } = alertSetup;
export const any = (own: object = {}) => noCalls({ tasks: undefined, ...own });
export const of = (assistantId: string) => ({ assistantRef: { assistantId, versionId: "1" } });
export const NONE = "The gateway knows no task that was active in the last 14 days.";

/** Gateways have seen these tasks, which were active so many minutes after NOW. */
export const know = ({ store }: Gateway, activeAt: number, ...taskIds: string[]) =>
  store.knownTasks.save(taskIds.map((taskId) => ({ taskId, activeAt: minute(activeAt), seenAt: minute(activeAt) })));
/** The tasks of alerts. */
export const taskIdsOf = async (gateway: Gateway, isWanted: (alert: Alert) => boolean = () => true) =>
  (await all(gateway))
    .filter(isWanted)
    .map(({ taskId }) => taskId ?? "")
    .toSorted((a, b) => a.localeCompare(b));
export const forget = ({ store }: Gateway) => store.knownTasks.purge(instantOf(at(0) + 99 * DAY_MS), 1000);
export const fours = (last: number, first = 0) => from(first / 4, last / 4).map((each) => each * 4);
