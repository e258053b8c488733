// Gives submissions their tasks: by the mark that comes back with an event and, where webhooks are lost, by comparing a
// task that was met for the first time. Never wrongly: what is not certain stays as it is.
import { instantOf } from "../dialect/instant.ts";
import { CodedError } from "../errors.ts";
import type { Bell } from "../events/bell.ts";
import type { CallEndedEvent } from "../events/callEnded.ts";
import type { Log } from "../log.ts";
import type { MetTaskStore, TaskFacts } from "../store/metTaskStore.ts";
import type { SubmissionStore } from "../store/submissionStore.ts";
import { createAsker } from "../upstream/asker.ts";
import type { TaskRecord, Upstream } from "../upstream/upstream.ts";
import type { Marks } from "./mark.ts";

export interface CorrelatorDeps {
  upstream: Pick<Upstream, "getTask">;
  submissions: Pick<SubmissionStore, "resolve" | "hasOpen">;
  metTasks: MetTaskStore;
  marks: Marks;
  /** Rung when a submission was resolved here. */
  changes: Bell;
  clock: () => number;
  log: Log;
}

export interface Correlator {
  /** Resolves by marks, and remembers the tasks that only a comparison can tell. Bears a repeat. */
  take(events: readonly CallEndedEvent[]): Promise<void>;
  /** Compares the tasks that wait. False: some must be tried again later, for the service or the store failed. */
  compareWaiting(signal: AbortSignal): Promise<boolean>;
}

const TASK_ID = /^[1-9]\d{0,38}$/;
const AT_ONCE = 100;
/**
 * The service makes a task when it is sent, so one of a later day that looks the same is another's. Longer than any
 * deadline of a request, and than clocks drift apart.
 */
const CREATED_WITHIN_MS = 900_000;

export function createCorrelator(deps: CorrelatorDeps): Correlator {
  const { upstream, submissions, metTasks, marks, changes, clock, log } = deps;

  async function resolve(submissionId: string, taskId: string): Promise<void> {
    const resolution = await submissions.resolve(submissionId, taskId);
    if (resolution === "resolved") changes.ring();
    if (resolution === "contradicted") {
      log.error({ submissionId, taskId }, "a submission's mark came back with another task, or after its refusal");
    }
  }

  /** Throws where the service or the store fails, and the task still waits. */
  async function compare(taskId: string, signal: AbortSignal): Promise<void> {
    const task = await upstream.getTask(taskId, createAsker({ signal }));
    const facts = task && factsOf(task);
    if (!facts) return metTasks.meet([taskId], { at: instantOf(clock()), waits: false });
    const submissionId = await metTasks.compare(facts);
    if (submissionId === null) return;
    log.info({ submissionId, taskId }, "a submission's task was found by comparison: no webhook brought its mark");
    changes.ring();
  }

  /** False: it still waits. */
  async function tryToCompare(taskId: string, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    try {
      await compare(taskId, signal);
      return true;
    } catch (err) {
      if (signal.aborted) return false;
      log.warn({ taskId, err }, "a task could not be compared with the submissions");
      if (!isLasting(err)) return false;
      await metTasks.meet([taskId], { at: instantOf(clock()), waits: false });
      return true;
    }
  }

  return {
    async take(events) {
      const told = events.filter(({ taskId }) => taskId !== null && TASK_ID.test(taskId));
      const marked = new Map(told.map(({ extra, taskId }) => [`${marks.read(extra)} ${taskId}`, { extra, taskId }]));
      for (const { extra, taskId } of marked.values()) {
        const submissionId = marks.read(extra);
        if (submissionId !== null && taskId !== null) await resolve(submissionId, taskId);
      }
      // Every number of ours carries a mark: variables that came back without one are of a task made elsewhere, and a
      // marked one is known. Only where no variables were told is there anything to compare.
      const isUntold = ({ extra }: CallEndedEvent) => extra === null;
      const isOpen = await submissions.hasOpen();
      const decided = taskIdsOf(told.filter((event) => !isOpen || !isUntold(event)));
      const untold = taskIdsOf(told.filter(isUntold)).filter((taskId) => !decided.includes(taskId));
      const at = instantOf(clock());
      await metTasks.meet(decided, { at, waits: false });
      await metTasks.meet(untold, { at, waits: true });
    },
    async compareWaiting(signal) {
      const failed = new Set<string>();
      for (;;) {
        const waiting = await metTasks.waiting(AT_ONCE + failed.size);
        const next = waiting.filter((taskId) => !failed.has(taskId));
        if (next.length === 0 || signal.aborted || failed.size >= AT_ONCE) return failed.size === 0;
        for (const taskId of next) if (!(await tryToCompare(taskId, signal))) failed.add(taskId);
      }
    },
  };
}

function taskIdsOf(events: readonly CallEndedEvent[]): string[] {
  return [...new Set(events.flatMap(({ taskId }) => taskId ?? []))];
}

/** Asked again, the service would say the same. */
function isLasting(error: unknown): boolean {
  return error instanceof CodedError && error.retryable === false;
}

/** Null where the task does not tell enough to be compared. */
function factsOf({ taskId, name, assistantRef, total, createdAt }: TaskRecord): TaskFacts | null {
  if (name === null || name.includes("\0") || assistantRef === null) return null;
  if (total === null || !Number.isSafeInteger(total) || createdAt === null) return null;
  const created = Date.parse(createdAt);
  return {
    taskId,
    name,
    assistantId: assistantRef.assistantId,
    total,
    submittedFrom: instantOf(created - CREATED_WITHIN_MS),
    // The service tells whole seconds: the submission may be of any moment of that second.
    submittedTo: instantOf(Math.floor(created / 1000) * 1000 + 999),
    rivalsTo: instantOf(created + CREATED_WITHIN_MS),
  };
}
