// Submissions as whoever asks may see them: one that was being sent by a gateway that ended is UNCONFIRMED, because that
// gateway can tell nobody any more. A sender holds a lease for as long as it sends.
import type { Signal } from "../util/signal.ts";
import type { Log } from "../log.ts";
import type { LeaseStore } from "../store/shared/leaseStore.ts";
import type { Submission, SubmissionPosition, SubmissionStore } from "../store/tasks/submissionStore.ts";
import { createSharedPoller } from "./sharedPoller.ts";

/** Everything throws STORE_UNAVAILABLE where the database fails. */
export interface SubmissionService {
  byId(id: string): Promise<Submission | null>;
  byKey(viewer: string, idempotencyKey: string): Promise<Submission | null>;
  /** Newest first; `after`: only those behind that place. */
  page(request: { after: SubmissionPosition | null; limit: number }): Promise<Submission[]>;
  /** The submission now, and each time it has changed, on whichever gateway; ends when it can change no more. */
  watch(id: string): AsyncIterableIterator<Submission | Error | null>;
  /** While `work` sends, the submission is PENDING to everybody; then it is what is kept of it. */
  whileSending<T>(id: string, work: () => Promise<T>): Promise<T>;
}

export interface SubmissionServiceDeps {
  submissions: SubmissionStore;
  leases: LeaseStore;
  /** Rung when a submission may have changed, here or on another gateway. */
  changes: Signal;
  /** Whether submissions carry marks: without them a task may never be found, and nobody is to wait for it. */
  correlates: boolean;
  log: Log;
  /** Behind the bell: how long a change can go unheard. */
  pollMs?: number;
}

const POLL_MS = 5000;
const NEVER = new AbortController().signal;
const leaseOf = (id: string) => `submission ${id}`;

export function createSubmissionService(deps: SubmissionServiceDeps): SubmissionService {
  const { submissions, leases, changes, correlates, log, pollMs = POLL_MS } = deps;
  /** By this process, which holds all of its leases as one holder. */
  const sending = new Set<string>();

  async function current(submission: Submission): Promise<Submission | null> {
    const { id, status } = submission;
    if (status !== "PENDING" || sending.has(id)) return submission;
    const left = await leases.withLease(leaseOf(id), NEVER, async () => submissions.settle(id, "UNCONFIRMED"));
    if (!left) return submission;
    changes.notify();
    // Settled meanwhile, or gone: its key is free.
    const now = await submissions.byId(id);
    const isUnknown = now?.status === "UNCONFIRMED";
    if (isUnknown) log.warn({ submissionId: id }, "nobody sends a submission any more, and its outcome is not known");
    return now;
  }

  const isSettled = (submission: Submission | Error | null): boolean => {
    if (submission instanceof Error) return false;
    if (submission === null || submission.status === "REJECTED" || submission.status === "RESOLVED") return true;
    return !correlates && submission.status !== "PENDING";
  };

  async function byId(id: string): Promise<Submission | null> {
    const found = await submissions.byId(id);
    return found && current(found);
  }

  const watch = createSharedPoller<Submission | null, object>({
    poll: byId,
    // Whatever else there is of it never changes.
    serialize: (submission) => `${submission?.status} ${submission?.taskId} ${submission?.matchedBy}`,
    isFinal: isSettled,
    onOpen: (_, look) => {
      const ear = changes.listen();
      const stopped = new AbortController();
      void (async () => {
        while (!stopped.signal.aborted) {
          ear.reset();
          if (await ear.wait(pollMs)) look({ isNews: false });
        }
      })();
      return {
        async [Symbol.asyncDispose]() {
          stopped.abort();
          ear.close();
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
      return found && current(found);
    },
    async page(request) {
      for (;;) {
        const found = await Promise.all((await submissions.page(request)).map(current));
        const there = found.filter((submission) => submission !== null);
        // A page that is short by one that is gone meanwhile would look like the last.
        if (there.length === found.length) return there;
      }
    },
    watch: (id) => watch(id, {}),
    async whileSending(id, work) {
      sending.add(id);
      try {
        const held = await leases.withLease(leaseOf(id), NEVER, work);
        if (!held) throw new Error("a new submission's lease was taken");
        return held.done;
      } finally {
        sending.delete(id);
        changes.notify();
      }
    },
  };
}
