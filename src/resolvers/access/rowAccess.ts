// Decides which rows a viewer with `access` may see, and turns `access` into filters. A row must meet every condition that is named.
import type { ViewerAccess } from "../../auth/viewerPolicy.ts";
import type { CallEndedEvent } from "../../events/callEndedEvent.ts";
import type { EventFilter } from "../../events/eventLog.ts";
import { MAX_TASK_IDS, type CallLogQuery, type CallLogRecord, type TaskRecord } from "../../upstream/upstream.ts";
import { badInput } from "../inputRules.ts";

export interface RowAccess {
  /** A call from either source. A call without a task is in no task, and one without assistants is of no assistant. */
  seesCall(call: Pick<CallLogRecord, "taskId" | "assistants"> | CallEndedEvent): boolean;
  seesTaskId(taskId: string): boolean;
  seesTask(task: TaskRecord): boolean;
  /** By look-up. An assistant is in no task, so that a viewer with `taskIds` alone finds none. */
  seesAssistant(assistantId: string): boolean;
  /** Null: all. */
  taskIds: readonly string[] | null;
  /** Null: all. */
  assistantIds: readonly string[] | null;
  /** For SQL and for the filter in memory. */
  ofEvents(filter: EventFilter): EventFilter;
  /** For the service. Null: no call can match. Throws BAD_USER_INPUT where the service cannot be asked for exactly these calls. */
  ofCalls<Query extends Pick<CallLogQuery, "taskIds" | "assistantIds">>(query: Query): Query | null;
}

/** Throws for a condition that is not enforced: configuration and tokens with one are refused. */
export function createRowAccess(access: ViewerAccess): RowAccess {
  const { taskIds, assistantIds, ...others } = access;
  const unknown = Object.entries(others).find(([, value]) => value !== undefined);
  if (unknown) throw new Error(`access.${unknown[0]} is not enforced`);
  const isOneOf = (allowed: readonly string[] | undefined, id: string) => allowed?.includes(id) ?? true;
  const hasAssistant = (ids: readonly string[]) =>
    assistantIds === undefined || ids.some((id) => isOneOf(assistantIds, id));
  const seesTaskId = (taskId: string) => isOneOf(taskIds, taskId);
  return {
    taskIds: taskIds ?? null,
    assistantIds: assistantIds ?? null,
    seesTaskId,
    seesCall: ({ taskId, assistants }) =>
      (taskIds === undefined || (taskId !== null && seesTaskId(taskId))) &&
      hasAssistant(assistants.map(({ assistantId }) => assistantId)),
    seesTask: ({ taskId, assistantRef }) =>
      seesTaskId(taskId) && hasAssistant(assistantRef ? [assistantRef.assistantId] : []),
    seesAssistant: (assistantId) => assistantIds?.includes(assistantId) ?? false,
    ofEvents: (filter) => ({ ...filter, access: { taskIds, assistantIds } }),
    ofCalls(query) {
      const tasks = taskIds ? (query.taskIds.length > 0 ? query.taskIds.filter(seesTaskId) : taskIds) : query.taskIds;
      const given = query.assistantIds;
      const assistants = assistantIds && given.length === 0 ? assistantIds : given;
      if (taskIds && tasks.length === 0) return null;
      if (assistantIds?.length === 0) return null;
      if (tasks.length > MAX_TASK_IDS)
        throw badInput(`Of the tasks that this viewer sees, the filter must name at most ${MAX_TASK_IDS} in taskIds.`);
      // The service finds calls of any of the assistants. It cannot be asked for calls of one of these and one of those.
      if (!assistants.every((id) => isOneOf(assistantIds, id)))
        throw badInput("The filter must name only assistants that this viewer sees in assistantIds.");
      return { ...query, taskIds: [...tasks], assistantIds: [...assistants] };
    },
  };
}
