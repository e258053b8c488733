// Sends the request of a submission once. The submission is PENDING on disk before, and what a crash left PENDING is never sent
// again: submissionService.ts makes it UNCONFIRMED.
import { setTimeout } from "node:timers/promises";
import type { Logger } from "../logger.ts";
import type { Submission } from "../store/tasks/submissionRow.ts";
import type { SubmissionStore } from "../store/tasks/submissionStore.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { Signal } from "../util/signal.ts";
import type { SubmissionService } from "./submissionService.ts";
import { refused, resultOf, statusOf, unavailable, type SubmitResult } from "./submitResult.ts";

export interface SubmissionSender {
  /**
   * Claims the submission and sends the body, unless the claim refuses. Throws what the claim throws, before anything is sent. A
   * failure of the store after it is no error: the outcome is stored later. One call at a time for each submission: a second one
   * gets the outcome of the first.
   */
  send<Refusal>(submission: Submission, body: Buffer, claim: SendClaim<Refusal>): Promise<Attempt<Refusal>>;
  /** The outcome of a submission that this or another gateway may still be sending. Null: nothing was sent, and nothing will be. */
  outcomeOf(submission: Submission): Promise<SubmitResult | null>;
}

/** How a submission becomes PENDING, and is taken back if nothing was sent. */
export interface SendClaim<Refusal> {
  /** Null: it is PENDING now, on disk. */
  take(): Promise<Refusal | null>;
  /** Also called if `take` throws, because the claim may be stored all the same. */
  takeBack(): Promise<void>;
}

export type Attempt<Refusal> =
  | { kind: "sent"; result: SubmitResult }
  | { kind: "refused"; refusal: Refusal }
  /** Another gateway is claiming or sending it, or this one is storing its outcome. */
  | { kind: "busy" };

export interface SubmissionSenderDeps {
  upstream: Pick<Upstream, "createTask">;
  submissions: Pick<SubmissionStore, "byId" | "settle">;
  submissionService: Pick<SubmissionService, "whileSending" | "byId">;
  /** Notified when a submission may have changed, here or on another gateway. */
  changes: Signal;
  /** How long a repeated request waits for another gateway that is sending the first one. */
  pendingTimeoutMs: number;
  log: Logger;
}

const STORE_RETRY_MS = 1000;
/** Polling interval, in case a notification was lost or the sending gateway has ended. */
const POLL_MS = 1000;

export function createSubmissionSender(deps: SubmissionSenderDeps): SubmissionSender {
  const { upstream, submissions, submissionService, changes, pendingTimeoutMs, log } = deps;
  /** What this process sends, or whose outcome it has not stored yet, by the submission's ID. */
  const inFlight = new Map<string, InFlight>();

  async function sendOnce(submission: Submission, body: Buffer, claim: SendClaim<unknown>): Promise<Sent> {
    const { id } = submission;
    const outcome = await upstream.createTask(body);
    if (outcome.kind === "unavailable") {
      const storage = await storeOutcome(id, () => claim.takeBack());
      return { result: (await resultIfResolved(id, storage)) ?? refused([unavailable]), storage };
    }
    const status = statusOf(outcome);
    const storage = await storeOutcome(id, () => submissions.settle(id, status));
    return { result: (await resultIfResolved(id, storage)) ?? resultOf({ ...submission, status }, false), storage };
  }

  /** Not null if an event resolved the submission before the service answered: then the task exists, whatever the answer was. */
  async function resultIfResolved(submissionId: string, { isStored }: OutcomeStorage): Promise<SubmitResult | null> {
    // The store has just failed, so it is not asked again before the client gets an answer.
    if (!isStored) return null;
    const known = await submissions.byId(submissionId).catch(() => null);
    return known?.status === "RESOLVED" ? resultOf(known, false) : null;
  }

  /**
   * Stores an outcome, and repeats that until it succeeds. The request was sent, so a failing store must not turn the outcome
   * into an error that invites the client to retry.
   */
  async function storeOutcome(submissionId: string, write: () => Promise<void>): Promise<OutcomeStorage> {
    const attempt = () =>
      write().then(
        () => true,
        (err: unknown) => {
          log.error({ submissionId, err }, "the outcome of a submission could not be stored; it is tried again");
          return false;
        },
      );
    if (await attempt()) return { isStored: true, whenStored: Promise.resolve() };
    const retry = async () => {
      do await setTimeout(STORE_RETRY_MS, undefined, { ref: false });
      while (!(await attempt()));
    };
    return { isStored: false, whenStored: retry() };
  }

  /** Ends when the outcome is stored. `early` gets the outcome before. */
  async function claimAndSend<Refusal>(
    submission: Submission,
    body: Buffer,
    claim: SendClaim<Refusal>,
    early: PromiseWithResolvers<Attempt<Refusal>>,
  ): Promise<Attempt<Refusal>> {
    const { id } = submission;
    const held = await submissionService.whileSending(id, async (): Promise<Attempt<Refusal>> => {
      const refusal = await claim.take().catch(async (error: unknown) => {
        early.reject(error);
        // The claim may be stored although it failed. It is taken back, because nothing was sent.
        const freed = await storeOutcome(id, () => claim.takeBack());
        await freed.whenStored;
        throw error;
      });
      if (refusal !== null) return { kind: "refused", refusal };
      const sent = await sendOnce(submission, body, claim);
      early.resolve({ kind: "sent", result: sent.result });
      // Until then the lease is held, so that no other gateway declares the submission UNCONFIRMED.
      await sent.storage.whenStored;
      return { kind: "sent", result: sent.result };
    });
    return held ? held.done : { kind: "busy" };
  }

  /** Waits until a submission is settled. Null: nothing was created, and the key is free again. */
  async function settledOf(id: string): Promise<Submission | null> {
    const deadline = performance.now() + pendingTimeoutMs;
    const listener = changes.listen();
    try {
      for (;;) {
        listener.reset();
        const submission = await submissionService.byId(id);
        if (submission?.status !== "PENDING" || performance.now() > deadline) return submission;
        await listener.wait(POLL_MS);
      }
    } finally {
      listener.close();
    }
  }

  return {
    async send<Refusal>(submission: Submission, body: Buffer, claim: SendClaim<Refusal>) {
      const { id } = submission;
      const running = inFlight.get(id);
      // Its outcome is known, and is being stored. Where nothing was sent, the submission can be sent again after that.
      if (running?.isOver) return { kind: "busy" };
      if (running) return replayed((await running.attempt) as Attempt<Refusal>);
      const early = Promise.withResolvers<Attempt<Refusal>>();
      // Registered before the claim: from the claim on, a repeated request finds the submission and waits for this outcome.
      const entry: InFlight = { attempt: early.promise, isOver: false };
      inFlight.set(id, entry);
      const end = () => void (entry.isOver = true);
      early.promise.then(end, end);
      void claimAndSend(submission, body, claim, early)
        .then(early.resolve, early.reject)
        .finally(() => inFlight.delete(id));
      // If the outcome cannot be stored at once, the client gets it all the same.
      return early.promise;
    },
    async outcomeOf({ id }) {
      const running = inFlight.get(id);
      const first = running && replayed(await running.attempt);
      if (first?.kind === "sent") return first.result;
      const settled = await settledOf(id);
      return settled && resultOf(settled, true);
    },
  };
}

function replayed<Refusal>(attempt: Attempt<Refusal>): Attempt<Refusal> {
  if (attempt.kind !== "sent") return attempt;
  return { ...attempt, result: { ...attempt.result, replayed: attempt.result.submission !== null } };
}

interface InFlight {
  attempt: Promise<Attempt<unknown>>;
  /** The outcome is known. */
  isOver: boolean;
}

interface Sent {
  result: SubmitResult;
  storage: OutcomeStorage;
}

/** Whether the outcome is stored. An object, because an async function that returned `whenStored` alone would wait for it. */
interface OutcomeStorage {
  isStored: boolean;
  /** Resolves when the outcome is stored; at once if it is. Never rejects. */
  whenStored: Promise<void>;
}
