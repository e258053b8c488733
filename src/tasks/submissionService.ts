// Reads submissions. A sender holds a lease while it sends. If no gateway holds the lease of a PENDING submission, its sender
// has ended and the outcome is unknown: the submission becomes UNCONFIRMED. A proposal whose time is over becomes EXPIRED.
import { instantOf } from "../format/instant.ts";
import type { Signal } from "../util/signal.ts";
import type { Logger } from "../logger.ts";
import type { LeaseStore } from "../store/shared/leaseStore.ts";
import type { ProposalStore } from "../store/tasks/proposalStore.ts";
import type { Submission, SubmissionPage, SubmissionStatus } from "../store/tasks/submissionRow.ts";
import type { SubmissionStore } from "../store/tasks/submissionStore.ts";
import type { CreateTaskRequest } from "../upstream/upstream.ts";
import { overrideIn } from "./proposals/proposalInput.ts";
import { createSharedPoller } from "./sharedPoller.ts";

export type AssistantOverride = NonNullable<CreateTaskRequest["assistantOverride"]>;

/** Every method throws STORE_UNAVAILABLE if the database fails. */
export interface SubmissionService {
  byId(id: string): Promise<Submission | null>;
  byKey(viewer: string, idempotencyKey: string): Promise<Submission | null>;
  /** Newest first. */
  page(request: SubmissionPage): Promise<Submission[]>;
  /** The submission now and after each change on any gateway. Ends when it cannot change any more. */
  watch(id: string): AsyncIterableIterator<Submission | Error | null>;
  /** What a proposal changes of its assistant. Null: nothing, or it was decided, which erases it. */
  overrideOf(id: string): Promise<AssistantOverride | null>;
  /** Holds the lease while `work` runs: the submission stays PENDING until then. Null: another gateway holds it. */
  whileSending<T>(id: string, work: () => Promise<T>): Promise<{ done: T } | null>;
}

export interface SubmissionServiceDeps {
  submissions: SubmissionStore;
  proposals: Pick<ProposalStore, "expire" | "headOf">;
  leases: LeaseStore;
  /** Notified when a submission may have changed, here or on another gateway. */
  changes: Signal;
  /** Whether submissions carry correlation tokens. Without tokens a task may never be found, so `watch` does not wait for it. */
  correlates: boolean;
  clock: () => number;
  log: Logger;
  /** Polling interval, in case a notification was lost. */
  pollMs?: number;
}

const POLL_MS = 5000;
const FINAL: ReadonlySet<SubmissionStatus> = new Set(["REJECTED", "RESOLVED", "DECLINED", "EXPIRED"]);
const NEVER = new AbortController().signal;
const leaseOf = (id: string) => `submission ${id}`;

export function createSubmissionService(deps: SubmissionServiceDeps): SubmissionService {
  const { submissions, proposals, leases, changes, correlates, clock, log, pollMs = POLL_MS } = deps;
  /** Submissions that this process sends. Its leases have one holder, so a lease does not tell them apart. */
  const sending = new Set<string>();

  async function settleIfDue(submission: Submission): Promise<Submission | null> {
    return submission.status === "PROPOSED" ? expireIfDue(submission) : settleIfAbandoned(submission);
  }

  async function expireIfDue(submission: Submission): Promise<Submission | null> {
    const { id, proposal } = submission;
    const now = instantOf(clock());
    if (!proposal || proposal.expiresAt > now) return submission;
    if (await proposals.expire(id, now)) changes.notify();
    return submissions.byId(id);
  }

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
    if (submission === null || FINAL.has(submission.status)) return true;
    return !correlates && (submission.status === "ACCEPTED" || submission.status === "UNCONFIRMED");
  };

  async function byId(id: string): Promise<Submission | null> {
    const found = await submissions.byId(id);
    return found && settleIfDue(found);
  }

  const watch = createSharedPoller<Submission | null, object>({
    poll: byId,
    // Other fields change only with these. A proposal that could not be sent is PROPOSED again.
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
      return found && settleIfDue(found);
    },
    async page(request) {
      for (;;) {
        const found = await Promise.all((await submissions.page(request)).map(settleIfDue));
        const existing = found.filter((submission) => submission !== null);
        // A page without the deleted ones would be short and look like the last page.
        if (existing.length === found.length) return existing;
      }
    },
    watch: (id) => watch(id, {}),
    async overrideOf(id) {
      const head = await proposals.headOf(id);
      return head === null ? null : overrideIn(head);
    },
    async whileSending(id, work) {
      sending.add(id);
      try {
        return await leases.withLease(leaseOf(id), NEVER, work);
      } finally {
        sending.delete(id);
        changes.notify();
      }
    },
  };
}
