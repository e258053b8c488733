// Reads submissions. A sender holds a lease while it sends. If no gateway holds the lease of a PENDING submission, its sender
// has ended and the outcome is unknown: the submission becomes UNCONFIRMED.
import type { Signal } from "../util/signal.ts";
import type { Log } from "../log.ts";
import type { LeaseStore } from "../store/shared/leaseStore.ts";
import type { Submission } from "../store/tasks/submissionRow.ts";
import type { SubmissionPosition, SubmissionStore } from "../store/tasks/submissionStore.ts";
import { createSharedPoller } from "./sharedPoller.ts";

/** Every method throws STORE_UNAVAILABLE if the database fails. */
export interface SubmissionService {
  byId(id: string): Promise<Submission | null>;
  byKey(viewer: string, idempotencyKey: string): Promise<Submission | null>;
  /** Newest first. `after`: only older ones than that position. */
  page(request: { after: SubmissionPosition | null; limit: number }): Promise<Submission[]>;
  /** The submission now and after each change on any gateway. Ends when it cannot change any more. */
  watch(id: string): AsyncIterableIterator<Submission | Error | null>;
  /** Holds the lease while `work` runs: the submission stays PENDING until then. */
  whileSending<T>(id: string, work: () => Promise<T>): Promise<T>;
}

export interface SubmissionServiceDeps {
  submissions: SubmissionStore;
  leases: LeaseStore;
  /** Notified when a submission may have changed, here or on another gateway. */
  changes: Signal;
  /** Whether submissions carry correlation tokens. Without tokens a task may never be found, so `watch` does not wait for it. */
  correlates: boolean;
  log: Log;
  /** Polling interval, in case a notification was lost. */
  pollMs?: number;
}

const POLL_MS = 5000;
const NEVER = new AbortController().signal;
const leaseOf = (id: string) => `submission ${id}`;

export function createSubmissionService(deps: SubmissionServiceDeps): SubmissionService {
  const { submissions, leases, changes, correlates, log, pollMs = POLL_MS } = deps;
  /** Submissions that this process sends. Its leases have one holder, so a lease does not tell them apart. */
  const sending = new Set<string>();

  async function settleIfAbandoned(submission: Submission): Promise<Submission | null> {
    const { id, status } = submission;
    if (status !== "PENDING" || sending.has(id)) return submission;
    const settled = await leases.withLease(leaseOf(id), NEVER, async () => submissions.settle(id, "UNCONFIRMED"));
    if (!settled) return submission;
    changes.notify();
    // It may also have been settled meanwhile, or deleted to free its key.
    const now = await submissions.byId(id);
    const isUnknown = now?.status === "UNCONFIRMED";
    if (isUnknown)
      log.warn({ submissionId: id }, "the gateway that sent a submission has ended; its outcome is unknown");
    return now;
  }

  const isFinal = (submission: Submission | Error | null): boolean => {
    if (submission instanceof Error) return false;
    if (submission === null || submission.status === "REJECTED" || submission.status === "RESOLVED") return true;
    return !correlates && submission.status !== "PENDING";
  };

  async function byId(id: string): Promise<Submission | null> {
    const found = await submissions.byId(id);
    return found && settleIfAbandoned(found);
  }

  const watch = createSharedPoller<Submission | null, object>({
    poll: byId,
    // No other field ever changes.
    serialize: (submission) => `${submission?.status} ${submission?.taskId} ${submission?.matchedBy}`,
    isFinal,
    onOpen: (_, pollNow) => {
      const listener = changes.listen();
      const stopped = new AbortController();
      void (async () => {
        while (!stopped.signal.aborted) {
          listener.reset();
          if (await listener.wait(pollMs)) pollNow({ isNews: false });
        }
      })();
      return {
        async [Symbol.asyncDispose]() {
          stopped.abort();
          listener.close();
        },
      };
    },
    intervalMs: pollMs,
    minIntervalMs: 0,
  });

  return {
    byId,
    async byKey(viewer, idempotencyKey) {
      const found = await submissions.byKey(viewer, idempotencyKey);
      return found && settleIfAbandoned(found);
    },
    async page(request) {
      for (;;) {
        const found = await Promise.all((await submissions.page(request)).map(settleIfAbandoned));
        const existing = found.filter((submission) => submission !== null);
        // A page without the deleted ones would be short and look like the last page.
        if (existing.length === found.length) return existing;
      }
    },
    watch: (id) => watch(id, {}),
    async whileSending(id, work) {
      sending.add(id);
      try {
        const held = await leases.withLease(leaseOf(id), NEVER, work);
        if (!held) throw new Error("another holder has the lease of a new submission");
        return held.done;
      } finally {
        sending.delete(id);
        changes.notify();
      }
    },
  };
}
