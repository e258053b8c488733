// Finds the task of each submission. An event that carries the submission's correlation token is proof. Without one, because
// webhooks are lost or tokens are off, a newly seen task is compared with the submissions; store/tasks/taskComparisonStore.ts
// has the comparison itself. An uncertain match resolves nothing.
import { isPositiveId } from "../format/fieldParsers.ts";
import { epochMsOf, instantOf } from "../format/instant.ts";
import { CodedError } from "../errors.ts";
import type { Signal } from "../util/signal.ts";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import type { Logger } from "../logger.ts";
import type { Candidates, TaskComparisonStore, TaskFacts } from "../store/tasks/taskComparisonStore.ts";
import type { SubmissionStore } from "../store/tasks/submissionStore.ts";
import { createRequester } from "../upstream/requester.ts";
import type { TaskRecord, Upstream } from "../upstream/upstream.ts";
import type { CorrelationTokens } from "./correlationToken.ts";

export interface CorrelatorDeps {
  upstream: Pick<Upstream, "getTask">;
  submissions: Pick<SubmissionStore, "resolve" | "hasOpen" | "hasWithoutToken">;
  taskComparisons: TaskComparisonStore;
  tokens: CorrelationTokens;
  /** Notified when a submission was resolved here. */
  changes: Signal;
  clock: () => number;
  log: Logger;
}

/** Both throw STORE_UNAVAILABLE if the database fails. */
export interface Correlator {
  /** Resolves submissions by the events' tokens, and stores the tasks that need a comparison. A repeat changes nothing. */
  handleEvents(events: readonly CallEndedEvent[]): Promise<void>;
  /** Compares the stored tasks. False: some must be tried again later, because the service or the store failed. */
  compareWaitingTasks(signal: AbortSignal): Promise<boolean>;
}

/** A task that an event names, and the variables that came back with it. */
interface SeenTask {
  taskId: string;
  extra: CallEndedEvent["extra"];
}

const COMPARE_BATCH = 100;

export function createCorrelator(deps: CorrelatorDeps): Correlator {
  const { upstream, submissions, taskComparisons, tokens, changes, clock, log } = deps;

  return {
    async handleEvents(events) {
      const seen = events.flatMap(seenTaskOf);
      await resolveByTokens(seen);
      await storeForComparison(seen);
    },
    async compareWaitingTasks(signal) {
      const failed = new Set<string>();
      for (;;) {
        const waiting = await taskComparisons.listWaiting(COMPARE_BATCH + failed.size);
        const next = waiting.filter((taskId) => !failed.has(taskId));
        if (next.length === 0 || signal.aborted || failed.size >= COMPARE_BATCH) return failed.size === 0;
        for (const taskId of next) if (!(await tryToCompare(taskId, signal))) failed.add(taskId);
      }
    },
  };

  async function resolveByTokens(seen: readonly SeenTask[]): Promise<void> {
    const pairs = new Map<string, { submissionId: string; taskId: string }>();
    for (const { taskId, extra } of seen) {
      const submissionId = tokens.submissionIdOf(extra);
      if (submissionId !== null) pairs.set(`${submissionId} ${taskId}`, { submissionId, taskId });
    }
    for (const pair of pairs.values()) await resolve(pair);
  }

  async function resolve({ submissionId, taskId }: { submissionId: string; taskId: string }): Promise<void> {
    const resolution = await submissions.resolve(submissionId, taskId);
    if (resolution === "resolved") changes.notify();
    if (resolution === "contradicted") {
      log.error(
        { submissionId, taskId },
        "a submission's token came back with another task, or after the service rejected it",
      );
    }
  }

  async function storeForComparison(seen: readonly SeenTask[]): Promise<void> {
    const [hasOpen, hasWithoutToken] = [await submissions.hasOpen(), await submissions.hasWithoutToken()];
    const candidatesFor = ({ extra }: SeenTask): Candidates => {
      // Its submission is known.
      if (tokens.submissionIdOf(extra) !== null) return "none";
      // An event without variables may belong to any task.
      if (extra === null) return hasOpen || hasWithoutToken ? "any" : "none";
      // Variables without a token belong to a task that was created elsewhere, or sent without tokens.
      return hasWithoutToken ? "withoutToken" : "none";
    };
    const at = instantOf(clock());
    for (const [candidates, tasks] of Map.groupBy(seen, candidatesFor))
      await taskComparisons.add([...new Set(tasks.map(({ taskId }) => taskId))], { at, candidates });
  }

  /** False: the task still waits. */
  async function tryToCompare(taskId: string, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    try {
      return await compare(taskId, signal);
    } catch (err) {
      if (signal.aborted) return false;
      log.warn({ taskId, err }, "a task could not be compared with the submissions");
      if (!isPermanent(err)) return false;
      await stopWaiting(taskId);
      return true;
    }
  }

  /** False: the task still waits. Throws if the service or the store fails; then it still waits too. */
  async function compare(taskId: string, signal: AbortSignal): Promise<boolean> {
    const task = await upstream.getTask(taskId, createRequester({ signal }));
    const facts = task && factsOf(task);
    if (facts) {
      const comparison = await taskComparisons.compare(facts);
      if (comparison.kind === "found") {
        log.info({ submissionId: comparison.submissionId, taskId }, "a submission's task was found by comparison");
        changes.notify();
        return true;
      }
      const isDecidedLater =
        comparison.kind === "beingSent" && instantOf(clock()) <= facts.submittedUntilWithClockError;
      if (isDecidedLater) return false;
    }
    await stopWaiting(taskId);
    return true;
  }

  function stopWaiting(taskId: string): Promise<void> {
    return taskComparisons.add([taskId], { at: instantOf(clock()), candidates: "none" });
  }
}

/** An imported call shows no variables, and tells of tasks that are older than the open submissions. */
function seenTaskOf({ taskId, extra, source }: CallEndedEvent): SeenTask[] {
  if (source === "IMPORTED") return [];
  return taskId !== null && isPositiveId(taskId) ? [{ taskId, extra }] : [];
}

/** A retry would fail the same way. */
function isPermanent(error: unknown): boolean {
  return error instanceof CodedError && error.retryable === false;
}

/**
 * A task and its submission are at most this far apart: the service creates a task when it receives the request. The time is
 * longer than any request's deadline and any difference between the clocks.
 */
const MAX_CREATION_DELAY_MS = 900_000;

/** Null if the task lacks a field that the comparison needs. */
function factsOf({ taskId, name, assistantRef, total, createdAt }: TaskRecord): TaskFacts | null {
  if (name === null || name.includes("\0") || assistantRef === null) return null;
  if (total === null || !Number.isSafeInteger(total) || createdAt === null) return null;
  const created = epochMsOf(createdAt);
  return {
    taskId,
    name,
    assistantId: assistantRef.assistantId,
    total,
    submittedFrom: instantOf(created - MAX_CREATION_DELAY_MS),
    // createdAt has whole seconds, so the submission may be from any moment of that second.
    submittedUntil: instantOf(Math.floor(created / 1000) * 1000 + 999),
    submittedUntilWithClockError: instantOf(created + MAX_CREATION_DELAY_MS),
  };
}
