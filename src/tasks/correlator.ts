// Finds the task of each submission. An event that carries the submission's correlation token is proof. Without one, because
// webhooks are lost or tokens are off, a newly seen task is compared with the submissions. An uncertain match resolves nothing.
import { isPositiveId } from "../format/fieldParsers.ts";
import { instantOf } from "../format/instant.ts";
import { CodedError } from "../errors.ts";
import { startDurableReader, type DurableReaderDeps } from "../events/durableReader.ts";
import { createSignal, type Signal } from "../util/signal.ts";
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
  taskComparisons: TaskComparisonStore;
  tokens: CorrelationTokens;
  /** Notified when a submission was resolved here. */
  changes: Signal;
  clock: () => number;
  log: Log;
}

export interface Correlator {
  /** Resolves submissions by tokens and stores the tasks that need a comparison. A repeat changes nothing. */
  resolveByTokens(events: readonly CallEndedEvent[]): Promise<void>;
  /** Compares the stored tasks. False: some must be tried again later, because the service or the store failed. */
  compareWaitingTasks(signal: AbortSignal): Promise<boolean>;
}

const COMPARE_BATCH = 100;
/**
 * A task and its submission are at most this far apart: the service creates a task when it receives the request. The time is
 * longer than any request's deadline and any difference between the clocks.
 */
const MAX_CREATION_DELAY_MS = 900_000;

export function createCorrelator(deps: CorrelatorDeps): Correlator {
  const { upstream, submissions, taskComparisons, tokens, changes, clock, log } = deps;

  async function resolve(submissionId: string, taskId: string): Promise<void> {
    const resolution = await submissions.resolve(submissionId, taskId);
    if (resolution === "resolved") changes.notify();
    if (resolution === "contradicted") {
      log.error(
        { submissionId, taskId },
        "a submission's token came back with another task, or after the service rejected it",
      );
    }
  }

  const stopWaiting = (taskId: string) => taskComparisons.add([taskId], { at: instantOf(clock()), waits: false });

  /** False: the task still waits. Throws if the service or the store fails; then it still waits too. */
  async function compare(taskId: string, signal: AbortSignal): Promise<boolean> {
    const task = await upstream.getTask(taskId, createRequester({ signal }));
    const facts = task && factsOf(task);
    const submissionId = facts && (await taskComparisons.compare(facts));
    const isEarly = submissionId === undefined && facts !== null && instantOf(clock()) <= facts.rivalsTo;
    if (isEarly) return false;
    if (submissionId) reportMatch(submissionId, taskId);
    else await stopWaiting(taskId);
    return true;
  }
  function reportMatch(submissionId: string, taskId: string): void {
    log.info({ submissionId, taskId }, "a submission's task was found by comparison");
    changes.notify();
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

  /**
   * Stores the tasks that need a comparison. A task with a token is known. Variables without a token belong to a task that was
   * created elsewhere or sent without tokens. An event without variables may belong to any task.
   */
  async function storeForComparison(seen: readonly CallEndedEvent[]): Promise<void> {
    const [isOpen, isUnmarked] = [await submissions.hasOpen(), await submissions.hasWithoutToken()];
    const waits = ({ extra }: CallEndedEvent): WaitsFor => {
      const isWanted = extra === null ? isOpen || isUnmarked : isUnmarked;
      if (!isWanted || tokens.submissionIdOf(extra) !== null) return false;
      return extra === null || "unmarked";
    };
    const at = instantOf(clock());
    for (const [each, events] of Map.groupBy(seen, waits))
      await taskComparisons.add(taskIdsOf(events), { at, waits: each });
  }

  return {
    async resolveByTokens(events) {
      const withTask = events.filter(({ taskId }) => taskId !== null && isPositiveId(taskId));
      const withToken = new Map(
        withTask.map(({ extra, taskId }) => [`${tokens.submissionIdOf(extra)} ${taskId}`, { extra, taskId }]),
      );
      for (const { extra, taskId } of withToken.values()) {
        const submissionId = tokens.submissionIdOf(extra);
        if (submissionId !== null && taskId !== null) await resolve(submissionId, taskId);
      }
      await storeForComparison(withTask);
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
}

function taskIdsOf(events: readonly CallEndedEvent[]): string[] {
  return [...new Set(events.flatMap(({ taskId }) => taskId ?? []))];
}

/** A retry would fail the same way. */
function isPermanent(error: unknown): boolean {
  return error instanceof CodedError && error.retryable === false;
}

/** Null if the task lacks a field that the comparison needs. */
function factsOf({ taskId, name, assistantRef, total, createdAt }: TaskRecord): TaskFacts | null {
  if (name === null || name.includes("\0") || assistantRef === null) return null;
  if (total === null || !Number.isSafeInteger(total) || createdAt === null) return null;
  const created = Date.parse(createdAt);
  return {
    taskId,
    name,
    assistantId: assistantRef.assistantId,
    total,
    submittedFrom: instantOf(created - MAX_CREATION_DELAY_MS),
    // createdAt has whole seconds, so the submission may be from any moment of that second.
    submittedTo: instantOf(Math.floor(created / 1000) * 1000 + 999),
    rivalsTo: instantOf(created + MAX_CREATION_DELAY_MS),
  };
}

export interface CorrelationDeps extends Pick<DurableReaderDeps, "events" | "readers" | "leases" | "log" | "times"> {
  correlator: Correlator;
  /** Pause after a failure, and between two checks for tasks that another gateway stored. */
  retryMs?: number;
}

const RETRY_MS = 15_000;

/**
 * Runs the correlator: a durable reader for tokens and, beside it, the comparisons, so that a failing service does not delay
 * tokens. On many gateways each runs on one at a time. Disposing it ends both at once and aborts the request in flight.
 */
export function startCorrelation(deps: CorrelationDeps): AsyncDisposable {
  const { correlator, leases, log, retryMs = RETRY_MS, ...reading } = deps;
  const newEvents = createSignal();
  const listener = newEvents.listen();
  const stopped = new AbortController();

  const reader = startDurableReader({
    ...reading,
    name: "correlation",
    // From the first event, because a task that was seen before is not compared.
    from: "oldest",
    leases,
    log,
    async handle(events) {
      await correlator.resolveByTokens(events);
      newEvents.notify();
    },
  });

  async function compare(): Promise<void> {
    while (!stopped.signal.aborted) {
      listener.reset();
      await leases
        .withLease("compare tasks", stopped.signal, (signal) => correlator.compareWaitingTasks(signal))
        .catch((err: unknown) => {
          if (!stopped.signal.aborted) log.warn({ err }, "tasks could not be compared with the submissions");
        });
      await listener.wait(retryMs);
    }
  }

  const comparing = compare();
  return {
    async [Symbol.asyncDispose]() {
      stopped.abort();
      listener.close();
      await Promise.all([reader[Symbol.asyncDispose](), comparing]);
    },
  };
}
