// Alerts about a viewer's own tasks or assistants. An alert counts calls, so it is shown only where all of them are the viewer's. A viewer
// with access to some assistants sees none about a task, and one with access to some tasks none about an assistant.
import type { ViewerAccess } from "../../auth/viewerPolicy.ts";
import type { Alert, OwnAlerts } from "../../store/alerts/alertRows.ts";
import type { AlertNotice } from "../../store/alerts/alertStore.ts";
import { mapItems } from "../../util/iterators.ts";
import type { MaybePromise } from "../../util/maybePromise.ts";
import type { KnownLoaders, Services } from "../context.ts";
import { alertsByTask, refuse } from "./accessRefusals.ts";
import type { RowAccess } from "./rowAccess.ts";
import { visibleItems } from "./visibleItems.ts";

/** Names of other viewers are not shown. */
const withoutNames = (alert: Alert): Alert => ({ ...alert, acknowledgedBy: null });

const hidden = (notice: AlertNotice | null) => notice && { ...notice, alert: withoutNames(notice.alert) };

export function restrictAlerts(
  alerts: Services["alerts"],
  access: RowAccess,
  { taskIds, assistantIds = [] }: ViewerAccess,
): Services["alerts"] {
  const { submitter, findsCalls, seesWholeTasks, seesWholeAssistants } = access;
  /** Null: the viewer sees no alerts. */
  const own: OwnAlerts | null = seesWholeTasks
    ? { of: "tasks", taskIds: taskIds ?? null, submittedBy: submitter }
    : seesWholeAssistants
      ? { of: "assistants", assistantIds }
      : null;
  function sees({ taskId, assistantId }: Alert): MaybePromise<boolean> {
    if (taskId !== null) return seesWholeTasks && access.seesCall({ taskId, assistants: [] });
    return assistantId !== null && seesWholeAssistants && access.seesAssistant(assistantId);
  }
  /** A task says its lines when the service is asked: that it is would tell that there is such an alert. */
  async function byId(id: number): Promise<Alert | null> {
    if (!findsCalls) throw alertsByTask();
    const alert = await alerts.byId(id);
    return alert && (await sees(alert)) ? withoutNames(alert) : null;
  }
  return {
    async page(filter, page) {
      await access.checkFilter(filter.taskIds ? { taskIds: filter.taskIds } : {});
      return own === null ? [] : (await alerts.page({ ...filter, own }, page)).map(withoutNames);
    },
    byId,
    async acknowledge(id, by) {
      const alert = (await byId(id)) && (await alerts.acknowledge(id, by));
      return alert && withoutNames(alert);
    },
    openOf: refuse,
    head: alerts.head,
    rules: refuse,
    async follow(after) {
      if (!findsCalls) throw alertsByTask();
      if (after !== null && "alert" in after && !(await byId(after.alert))) return null;
      const notices = await alerts.follow(after);
      return notices && visibleItems(mapItems(notices, hidden), (notice) => notice === null || sees(notice.alert));
    },
  };
}

/** For tasks that the viewer sees. */
export function restrictAlertLoader(
  loader: KnownLoaders["openAlerts"],
  { seesWholeTasks }: RowAccess,
): KnownLoaders["openAlerts"] {
  return {
    load: async (task) => (seesWholeTasks ? ((await loader.load(task))?.map(withoutNames) ?? null) : null),
  };
}
