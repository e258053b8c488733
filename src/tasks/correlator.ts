// Gives submissions their tasks: by the mark that comes back with an event and, where webhooks are lost or no marks are sent,
// by comparing a task that was met for the first time. Never wrongly: what is not certain stays as it is.
import { isPositiveId } from "../format/fieldParsers.ts";
import { instantOf } from "../format/instant.ts";
import { CodedError } from "../errors.ts";
import type { Signal } from "../util/signal.ts";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import type { Log } from "../log.ts";
import type { TaskComparisonStore, TaskFacts, WaitsFor } from "../store/tasks/taskComparisonStore.ts";
import type { SubmissionStore } from "../store/tasks/submissionStore.ts";
import { createRequester } from "../upstream/requester.ts";
import type { TaskRecord, Upstream } from "../upstream/upstream.ts";
import type { CorrelationTokens } from "./correlationToken.ts";

export interface CorrelatorDeps {
  upstream: Pick<Upstream, "getTask">;
  submissions: Pick<SubmissionStore, "resolve" | "hasOpen" | "hasWithoutToken">;
  metTasks: TaskComparisonStore;
  tokens: CorrelationTokens;
  /** Rung when a submission was resolved here. */
  changes: Signal;
  clock: () => number;
  log: Log;
}

export interface Correlator {
  /** Resolves by marks, and remembers the tasks that only a comparison can tell. Bears a repeat. */
  resolveByTokens(events: readonly CallEndedEvent[]): Promise<void>;
  /** Compares the tasks that wait. False: some must be tried again later, for the service or the store failed. */
  compareWaitingTasks(signal: AbortSignal): Promise<boolean>;
}

const AT_ONCE = 100;
/**
 * The service makes a task when it is sent, so one of a later day that looks the same is another's. Longer than any
 * deadline of a request, and than clocks drift apart.
 */
const CREATED_WITHIN_MS = 900_000;

export function createCorrelator(deps: CorrelatorDeps): Correlator {
  const { upstream, submissions, metTasks, tokens: marks, changes, clock, log } = deps;

  async function resolve(submissionId: string, taskId: string): Promise<void> {
    const resolution = await submissions.resolve(submissionId, taskId);
    if (resolution === "resolved") changes.notify();
    if (resolution === "contradicted") {
      log.error({ submissionId, taskId }, "a submission's mark came back with another task, or after its refusal");
    }
  }

  const waitNoMore = (taskId: string) => metTasks.add([taskId], { at: instantOf(clock()), waits: false });

  /** False: it still waits. Throws where the service or the store fails, and then it still waits too. */
  async function compare(taskId: string, signal: AbortSignal): Promise<boolean> {
    const task = await upstream.getTask(taskId, createRequester({ signal }));
    const facts = task && factsOf(task);
    const submissionId = facts && (await metTasks.compare(facts));
    const isEarly = submissionId === undefined && facts !== null && instantOf(clock()) <= facts.rivalsTo;
    if (isEarly) return false;
    if (submissionId) tellFound(submissionId, taskId);
    else await waitNoMore(taskId);
    return true;
  }
  function tellFound(submissionId: string, taskId: string): void {
    log.info({ submissionId, taskId }, "a submission's task was found by comparison");
    changes.notify();
  }

  /** False: it still waits. */
  async function tryToCompare(taskId: string, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    try {
      return await compare(taskId, signal);
    } catch (err) {
      if (signal.aborted) return false;
      log.warn({ taskId, err }, "a task could not be compared with the submissions");
      if (!isLasting(err)) return false;
      await waitNoMore(taskId);
      return true;
    }
  }

  /**
   * What is left to compare. A task that brought a mark is known. Variables without one are of a task that was made elsewhere,
   * or sent without marks. Where no variables were told, it may be any.
   */
  async function meet(told: readonly CallEndedEvent[]): Promise<void> {
    const [isOpen, isUnmarked] = [await submissions.hasOpen(), await submissions.hasWithoutToken()];
    const waits = ({ extra }: CallEndedEvent): WaitsFor => {
      const isWanted = extra === null ? isOpen || isUnmarked : isUnmarked;
      if (!isWanted || marks.submissionIdOf(extra) !== null) return false;
      return extra === null || "unmarked";
    };
    const at = instantOf(clock());
    for (const [each, events] of Map.groupBy(told, waits)) await metTasks.add(taskIdsOf(events), { at, waits: each });
  }

  return {
    async resolveByTokens(events) {
      const told = events.filter(({ taskId }) => taskId !== null && isPositiveId(taskId));
      const marked = new Map(
        told.map(({ extra, taskId }) => [`${marks.submissionIdOf(extra)} ${taskId}`, { extra, taskId }]),
      );
      for (const { extra, taskId } of marked.values()) {
        const submissionId = marks.submissionIdOf(extra);
        if (submissionId !== null && taskId !== null) await resolve(submissionId, taskId);
      }
      await meet(told);
    },
    async compareWaitingTasks(signal) {
      const failed = new Set<string>();
      for (;;) {
        const waiting = await metTasks.listWaiting(AT_ONCE + failed.size);
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
