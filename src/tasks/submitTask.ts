// Submits a new task. The idempotency key and a digest of the input are on disk before the request is sent, and the request is
// sent once. What a crash left PENDING is never sent again: submissionService.ts makes it UNCONFIRMED.
import { createHash, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { canonicalChunks } from "../util/canonicalJson.ts";
import { instantOf } from "../format/instant.ts";
import type { Signal } from "../util/signal.ts";
import type { Log } from "../log.ts";
import type { TimeSlices, Steps } from "../util/timeSlices.ts";
import type { Submission } from "../store/tasks/submissionRow.ts";
import type { SubmissionStore } from "../store/tasks/submissionStore.ts";
import type { CreateTaskRequest, Upstream } from "../upstream/upstream.ts";
import { validateCreateTask, type CreateTaskInput } from "./validateCreateTask.ts";
import type { CorrelationTokens } from "./correlationToken.ts";
import type { SubmissionService } from "./submissionService.ts";
import type { Submitter, TaskRules } from "./taskRules.ts";
import { conflict, refused, resultOf, statusOf, unavailable, type SubmitResult } from "./submitResult.ts";

/**
 * Expected outcomes are data. Throws STORE_UNAVAILABLE before the request is sent, never after it. `releaseInput` is called
 * when the input is no longer needed: the request was sent, or an earlier request had the same key.
 */
export type SubmitTask = (
  viewer: Submitter,
  input: CreateTaskInput,
  releaseInput?: () => void,
) => Promise<SubmitResult>;

export interface SubmitTaskDeps {
  upstream: Pick<Upstream, "writeTask" | "createTask">;
  submissions: SubmissionStore;
  rules: Pick<TaskRules, "examine" | "quota">;
  submissionService: Pick<SubmissionService, "whileSending" | "byId">;
  /** Null: no tokens are sent, and the created task is found by comparison only. */
  tokens: CorrelationTokens | null;
  /** Notified when a submission may have changed, here or on another gateway. */
  changes: Signal;
  /** How long a repeated request waits for another gateway that is sending the first one. */
  pendingTimeoutMs: number;
  slices: TimeSlices;
  clock: () => number;
  log: Log;
}

export function createSubmitTask(deps: SubmitTaskDeps): SubmitTask {
  const { upstream, submissions, rules, submissionService, tokens, changes, pendingTimeoutMs, slices, clock, log } =
    deps;
  /** Results of submissions that this process is sending, or whose outcome it has not stored yet, by ID. */
  const inFlight = new Map<string, Promise<SubmitResult>>();

  async function send(submission: Submission, body: Buffer, releaseInput: () => void): Promise<Sent> {
    const sending = upstream.createTask(body);
    // The body was written, so the input is not needed while the service answers.
    releaseInput();
    const { id } = submission;
    const outcome = await sending;
    if (outcome.kind === "unavailable") {
      const storage = await storeOutcome(id, () => submissions.release(id));
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

  /**
   * Claims the key and sends the request. If another submission has the key, it returns that one and sends nothing. The limits decide
   * here, because other requests of the viewer may have been counted since they were examined.
   */
  async function claimAndSend(
    viewer: Submitter,
    submission: Submission,
    body: Buffer,
    releaseInput: () => void,
  ): Promise<{ holder: Submission } | { result: SubmitResult }> {
    const result = Promise.withResolvers<SubmitResult>();
    // Registered before the claim: from the claim on, a repeated request finds the submission and waits for this result.
    inFlight.set(submission.id, result.promise);
    const done = submissionService
      .whileSending(submission.id, async () => {
        const quota = rules.quota(viewer, submission);
        const claim = await submissions.claim(submission, quota).catch(async (error: unknown) => {
          result.reject(error);
          // The key may be stored although the claim failed. It is freed, because nothing was sent.
          const freed = await storeOutcome(submission.id, () => submissions.release(submission.id));
          await freed.whenStored;
          throw error;
        });
        if (!claim.claimed && claim.holder) return { holder: claim.holder };
        if (!claim.claimed) return { result: refused(quota.refusalsOf(claim.usage)) };
        const sent = await send(submission, body, releaseInput);
        result.resolve(sent.result);
        // Until then the lease is held, so that no other gateway declares the submission UNCONFIRMED.
        await sent.storage.whenStored;
        return { result: sent.result };
      })
      .finally(() => inFlight.delete(submission.id));
    // If the outcome cannot be stored at once, the client gets the result all the same, and `done` goes on storing it.
    return Promise.race([result.promise.then((early) => ({ result: early })), done]);
  }

  /** The result of the first request with this key, which another gateway may still be sending. */
  async function replay(holder: Submission, inputSha256: string): Promise<SubmitResult> {
    if (holder.inputSha256 !== inputSha256) return refused([conflict]);
    const first = await inFlight.get(holder.id);
    if (first) return { ...first, replayed: first.submission !== null };
    const settled = await settledOf(holder.id);
    return settled ? resultOf(settled, true) : refused([unavailable]);
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

  return async (viewer, input, releaseInput = () => undefined) => {
    const { name } = viewer;
    const read = await slices.run(name, validateCreateTask(input));
    if ("errors" in read) return refused(read.errors.map((error) => ({ code: "INVALID_INPUT", ...error })));

    const skips = input.skipDoNotCall === true;
    const inputSha256 = await slices.run(name, digestOf(read.request, skips));
    const known = await submissions.byKey(name, input.idempotencyKey);
    if (known) {
      releaseInput();
      return replay(known, inputSha256);
    }
    const { errors, request: allowed, leftOutCount } = await rules.examine(viewer, read.request, skips);
    if (errors.length > 0) return refused(errors);
    const submission: Submission = {
      id: randomUUID(),
      viewer: name,
      idempotencyKey: input.idempotencyKey,
      inputSha256,
      status: "PENDING",
      name: read.request.name,
      assistantId: read.request.assistantId,
      numberCount: allowed.numbers.length,
      leftOutCount,
      submittedAt: instantOf(clock()),
      taskId: null,
      matchedBy: null,
      hasToken: tokens !== null,
    };
    // The body is prepared before the claim, so that the request follows the claim at once.
    const request = tokens ? await slices.run(name, tokens.attach(allowed, submission.id)) : allowed;
    const body = await slices.run(name, upstream.writeTask(request));
    const sent = await claimAndSend(viewer, submission, body, releaseInput);
    if ("result" in sent) return sent.result;
    releaseInput();
    return replay(sent.holder, inputSha256);
  };
}

/** A digest of canonical JSON, which is the same on all versions of the gateway. */
function* digestOf(request: CreateTaskRequest, skipDoNotCall: boolean): Steps<string> {
  const hash = createHash("sha256");
  for (const piece of canonicalChunks({ ...request, ...(skipDoNotCall ? { skipDoNotCall } : {}) })) {
    hash.update(piece);
    yield;
  }
  return hash.digest("hex");
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

const STORE_RETRY_MS = 1000;
/** Polling interval, in case a notification was lost or the sending gateway has ended. */
const POLL_MS = 1000;
