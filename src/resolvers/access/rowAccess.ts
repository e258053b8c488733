// Decides which rows a viewer with `access` may see, and turns `access` into filters. A row must meet every condition that is named.
// A call meets a condition on tasks by its task: nothing in a call names its line or its submitter.
import type { ViewerAccess } from "../../auth/viewerPolicy.ts";
import type { CallEndedEvent } from "../../events/callEndedEvent.ts";
import type { EventFilter } from "../../events/eventLog.ts";
import type { OnlyTasks } from "../../tasks/taskRegistry.ts";
import { MAX_TASK_IDS, type CallLogQuery, type CallLogRecord, type TaskRecord } from "../../upstream/upstream.ts";
import { canonicalJson } from "../../util/canonicalJson.ts";
import { andThen, type MaybePromise } from "../../util/maybePromise.ts";
import type { Context } from "../context.ts";
import { badInput } from "../inputRules.ts";
import { tasksNotNamed } from "./accessRefusals.ts";

export interface RowAccess {
  /** Equal for viewers that see the same rows. */
  name: string;
  /** The viewer whose submissions decide. Null: they do not. */
  submitter: string | null;
  /**
   * A call from either source. A call without a task is in no task, and one without assistants is of no assistant. Null: no such
   * call, for which the same is read as for a call of others.
   */
  seesCall(call: Pick<CallLogRecord, "taskId" | "assistants"> | CallEndedEvent | null): MaybePromise<boolean>;
  /** False: no task with this ID is the viewer's. With true, `seesTask` must still be asked. */
  maySeeTaskId(taskId: string): MaybePromise<boolean>;
  seesTask(task: TaskRecord): MaybePromise<boolean>;
  /** By look-up. An assistant is in no task, so that a viewer without `assistantIds` finds none. */
  seesAssistant(assistantId: string): boolean;
  /** Whether a call can be told apart from those of others by its session alone. See ownSessions.ts. */
  findsCalls: boolean;
  /** False: of a task that the viewer sees, some calls may be those of others. */
  seesWholeTasks: boolean;
  /** False: of an assistant that the viewer sees, some calls may be those of others. */
  seesWholeAssistants: boolean;
  /** The conditions of a list of tasks that the gateway keeps. Null: it does not know what the conditions ask. */
  ofTasks: OnlyTasks | null;
  /** For SQL and for the filter in memory. */
  ofEvents(filter: EventFilter): EventFilter;
  /** To be called before a filter of events is used. Throws FORBIDDEN where the viewer must name its tasks, and has not. */
  checkFilter(filter: Pick<EventFilter, "taskIds">): MaybePromise<void>;
  /** For the service. Null: no call can match. Throws BAD_USER_INPUT where the service cannot be asked for exactly these calls. */
  ofCalls<Query extends CallFilter>(query: Query): MaybePromise<Query | null>;
  /** Whether the service answered a query of `ofCalls` with such a call. */
  isOfQuery(call: CallLogRecord, query: CallFilter): boolean;
}

type CallFilter = Pick<CallLogQuery, "taskIds" | "assistantIds">;

/** What the conditions need to know. */
export type AccessFacts = Pick<Context, "submittedTasks"> & {
  viewer: Pick<Context["viewer"], "name">;
  loadTask: (taskId: string) => Promise<TaskRecord | null>;
};

/** Throws for a condition that is not enforced: configuration and tokens with one are refused. */
export function createRowAccess(access: ViewerAccess, facts: AccessFacts): RowAccess {
  const { taskIds, assistantIds, lineIds, submittedBy, ...others } = access;
  const unknown = Object.entries(others).find(([, value]) => value !== undefined);
  if (unknown) throw new Error(`access.${unknown[0]} is not enforced`);
  const submitter = submittedBy === "self" ? facts.viewer.name : null;
  const isOfTasks = (taskIds ?? lineIds ?? submittedBy) !== undefined;

  const hasAssistant = (ids: readonly string[]) =>
    assistantIds === undefined || ids.some((id) => assistantIds.includes(id));
  const hasOwnAssistant = (assistants: CallLogRecord["assistants"]) =>
    hasAssistant(assistants.map(({ assistantId }) => assistantId));
  /** Calls of a task may go out over any of its lines, so all of them must be the viewer's. */
  const hasOwnLines = (task: TaskRecord) => {
    if (lineIds === undefined) return true;
    const lines = linesOf(task);
    return lines.length > 0 && lines.every((id) => lineIds.includes(id));
  };
  function maySeeTaskId(taskId: string): MaybePromise<boolean> {
    const isNamed = taskIds?.includes(taskId) ?? true;
    if (submitter === null) return isNamed;
    // Also of a task that is not named: the time of an answer must not tell which tasks exist.
    return facts.submittedTasks.isOf(submitter, taskId).then((isOwn) => isOwn && isNamed);
  }
  /** Whether a call of this task, whatever its assistant, may be the viewer's. */
  async function isOwnTask(taskId: string): Promise<boolean> {
    if (!(await maySeeTaskId(taskId))) return false;
    if (lineIds === undefined) return true;
    const task = await facts.loadTask(taskId);
    return task !== null && hasOwnLines(task);
  }
  async function ownOf(ids: readonly string[]): Promise<string[]> {
    const areOwn = await Promise.all(ids.map(isOwnTask));
    return ids.filter((_, at) => areOwn[at]);
  }
  /** The answer is the same for a task of others and for one that does not exist. */
  function checkFilter({ taskIds: named }: Pick<EventFilter, "taskIds">): MaybePromise<void> {
    if (lineIds === undefined) return;
    if (!named || named.length === 0 || named.length > MAX_TASK_IDS) throw tasksNotNamed();
    return ownOf(named).then((own) => {
      if (own.length < named.length) throw tasksNotNamed();
    });
  }

  /** Null: any task. */
  function ownTasks(named: readonly string[]): MaybePromise<readonly string[] | null> {
    if (!isOfTasks) return named.length > 0 ? named : null;
    if (lineIds) return andThen(checkFilter({ taskIds: named }), () => named);
    const candidates = named.length > 0 ? named.filter((id) => taskIds?.includes(id) ?? true) : taskIds;
    if (submitter === null) return candidates as readonly string[];
    // One more than the service takes tells that there are too many.
    return candidates ? ownOf(candidates) : facts.submittedTasks.idsOf(submitter, MAX_TASK_IDS + 1);
  }

  return {
    name: canonicalJson([access, submitter]),
    submitter,
    maySeeTaskId,
    seesCall(call) {
      const isPossible = call !== null && hasOwnAssistant(call.assistants) && (!isOfTasks || call.taskId !== null);
      if (lineIds === undefined)
        return andThen(maySeeTaskId(call?.taskId ?? NO_TASK), (isOwn) => isPossible && (isOwn || !isOfTasks));
      return isPossible && isOwnTask(call.taskId as string);
    },
    seesTask: (task) =>
      hasAssistant(task.assistantRef ? [task.assistantRef.assistantId] : []) &&
      hasOwnLines(task) &&
      maySeeTaskId(task.taskId),
    seesAssistant: (assistantId) => assistantIds?.includes(assistantId) ?? false,
    findsCalls: lineIds === undefined,
    seesWholeTasks: assistantIds === undefined,
    seesWholeAssistants: !isOfTasks,
    // The database knows neither the assistants nor the lines of tasks.
    ofTasks: assistantIds || lineIds ? null : { taskIds: taskIds ?? null, submittedBy: submitter },
    ofEvents: (filter) => ({
      ...filter,
      access: { taskIds, assistantIds, ...(submitter !== null && { submittedBy: submitter }) },
    }),
    checkFilter,
    ofCalls: (query) =>
      andThen(ownTasks(query.taskIds), (tasks) => {
        const given = query.assistantIds;
        const assistants = assistantIds && given.length === 0 ? assistantIds : given;
        if (tasks?.length === 0 || assistantIds?.length === 0) return null;
        if (tasks && tasks.length > MAX_TASK_IDS)
          throw badInput(
            `Of the tasks that this viewer sees, the filter must name at most ${MAX_TASK_IDS} in taskIds.`,
          );
        // The service finds calls of any of the assistants. It cannot be asked for calls of one of these and one of those.
        if (!assistants.every((id) => assistantIds?.includes(id) ?? true))
          throw badInput("The filter must name only assistants that this viewer sees in assistantIds.");
        return { ...query, taskIds: [...(tasks ?? [])], assistantIds: [...assistants] };
      }),
    isOfQuery: ({ taskId, assistants }, query) =>
      hasOwnAssistant(assistants) && (!isOfTasks || (taskId !== null && query.taskIds.includes(taskId))),
  };
}

/** The service's text for it (service.md, section 6). */
const NO_TASK = "0";

/** None where the service's task does not state them. */
function linesOf(task: TaskRecord): readonly string[] {
  try {
    return task.option()?.lineIds ?? [];
  } catch {
    return [];
  }
}
