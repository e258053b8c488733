// createTask, at most once: the key and the input's digest are on disk before the request leaves, and the request leaves
// once. What came of it is told as it is known, and never better.
import { createHash, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { canonicalChunks } from "../util/canonicalJson.ts";
import { instantOf } from "../format/instant.ts";
import type { Signal } from "../util/signal.ts";
import type { Log } from "../log.ts";
import type { TimeSlices, Steps } from "../util/timeSlices.ts";
import type { Submission, SubmissionStore } from "../store/tasks/submissionStore.ts";
import type { CreateTaskOutcome, CreateTaskRequest, Upstream } from "../upstream/upstream.ts";
import { readCreateTaskInput, type CreateTaskInput, type InputError } from "./validateCreateTask.ts";
import type { CorrelationTokens } from "./correlationToken.ts";
import type { SubmissionService } from "./submissionService.ts";

export interface SubmitError extends InputError {
  code: "INVALID_INPUT" | "IDEMPOTENCY_CONFLICT" | "REJECTED" | "UNAVAILABLE";
}

export interface SubmitResult {
  submission: Submission | null;
  replayed: boolean;
  errors: SubmitError[];
}

/**
 * Expected outcomes are data. Throws STORE_UNAVAILABLE before anything was sent, never after. `onUsed`: the input is used no
 * more, for the request is sent, or the answer to an earlier one is waited for.
 */
export type SubmitTask = (viewer: string, input: CreateTaskInput, onUsed?: () => void) => Promise<SubmitResult>;

export interface SubmitTaskDeps {
  upstream: Pick<Upstream, "writeTask" | "createTask">;
  submissions: SubmissionStore;
  submissionService: Pick<SubmissionService, "whileSending" | "byId">;
  /** Null: the numbers are sent as they are, and the created task is found by comparison alone. */
  tokens: CorrelationTokens | null;
  /** Rung when a submission may have changed, here or on another gateway. */
  changes: Signal;
  /** How long somebody waits for what another gateway is sending. */
  pendingTimeoutMs: number;
  slices: TimeSlices;
  clock: () => number;
  log: Log;
}

export function createSubmitTask(deps: SubmitTaskDeps): SubmitTask {
  const {
    upstream,
    submissions,
    submissionService: desk,
    tokens: marks,
    changes,
    pendingTimeoutMs: patienceMs,
    slices,
    clock,
    log,
  } = deps;
  /** What this process sends or knows better than the store, by id: who comes again with the key gets the one answer. */
  const underWay = new Map<string, Promise<SubmitResult>>();

  async function send(submission: Submission, body: Buffer, onUsed: () => void): Promise<Sent> {
    const answering = upstream.createTask(body);
    onUsed();
    const outcome = await answering;
    if (outcome.kind === "unavailable") {
      const kept = await keep(submission.id, () => submissions.release(submission.id));
      return { result: (await resolved(submission.id, kept)) ?? refused([unavailable]), kept };
    }
    const status = statusOf(outcome);
    const kept = await keep(submission.id, () => submissions.settle(submission.id, status));
    return { result: (await resolved(submission.id, kept)) ?? answer({ ...submission, status }, false), kept };
  }

  /** Null, unless its mark came back before the service's answer: the task is there, whatever that said. */
  async function resolved(submissionId: string, { isKept }: Sent["kept"]): Promise<SubmitResult | null> {
    // A store that fails would hold up the answer once more.
    if (!isKept) return null;
    const known = await submissions.byId(submissionId).catch(() => null);
    return known?.status === "RESOLVED" ? answer(known, false) : null;
  }

  /**
   * Writes what is known of an outcome. The service has been asked: a store that fails now must not turn its answer into
   * an error that invites a retry. It is tried again until it is kept.
   */
  async function keep(submissionId: string, write: () => Promise<void>): Promise<Sent["kept"]> {
    const attempt = () =>
      write().then(
        () => true,
        (err: unknown) => {
          log.error({ submissionId, err }, "a submission's outcome could not be kept, and is tried again");
          return false;
        },
      );
    if (await attempt()) return { isKept: true, whenKept: Promise.resolve() };
    const again = async () => {
      do await setTimeout(KEEP_AGAIN_MS, undefined, { ref: false });
      while (!(await attempt()));
    };
    return { isKept: false, whenKept: again() };
  }

  /** Claims the key and sends; the submission that has the key, where it is another one, and then nothing is sent. */
  async function claimAndSend(
    submission: Submission,
    body: Buffer,
    onUsed: () => void,
  ): Promise<Submission | SubmitResult> {
    const answered = Promise.withResolvers<SubmitResult>();
    // Before the claim, behind which others find it.
    underWay.set(submission.id, answered.promise);
    const done = desk
      .whileSending(submission.id, async () => {
        const claim = await submissions.claim(submission).catch(async (error: unknown) => {
          answered.reject(error);
          // The key may be on disk all the same, and nobody would ever send for it.
          const freed = await keep(submission.id, () => submissions.release(submission.id));
          await freed.whenKept;
          throw error;
        });
        if (!claim.claimed) return claim.holder;
        const { result, kept } = await send(submission, body, onUsed);
        answered.resolve(result);
        await kept.whenKept;
        return result;
      })
      .finally(() => underWay.delete(submission.id));
    // Whoever waits is answered when the answer is there, and not when it is kept.
    return Promise.race([answered.promise, done]);
  }

  /** The first answer, where the key was used before; it may still be on its way to another gateway. */
  async function replay(holder: Submission, inputSha256: string): Promise<SubmitResult> {
    if (holder.inputSha256 !== inputSha256) return refused([conflict]);
    const first = await underWay.get(holder.id);
    if (first) return { ...first, replayed: first.submission !== null };
    const settled = await settledOf(holder.id);
    return settled ? answer(settled, true) : refused([unavailable]);
  }

  /** Null: nothing was created, and the key is free again. */
  async function settledOf(id: string): Promise<Submission | null> {
    const patience = performance.now() + patienceMs;
    const ear = changes.listen();
    try {
      for (;;) {
        ear.reset();
        const submission = await desk.byId(id);
        if (submission?.status !== "PENDING" || performance.now() > patience) return submission;
        await ear.wait(LOOK_AGAIN_MS);
      }
    } finally {
      ear.close();
    }
  }

  return async (viewer, input, onUsed = () => undefined) => {
    const read = await slices.run(viewer, readCreateTaskInput(input));
    if ("errors" in read) return refused(read.errors.map((error) => ({ code: "INVALID_INPUT", ...error })));

    const inputSha256 = await slices.run(viewer, digestOf(read.request));
    const known = await submissions.byKey(viewer, input.idempotencyKey);
    if (known) {
      onUsed();
      return replay(known, inputSha256);
    }
    const submission: Submission = {
      id: randomUUID(),
      viewer,
      idempotencyKey: input.idempotencyKey,
      inputSha256,
      status: "PENDING",
      name: read.request.name,
      assistantId: read.request.assistantId,
      numberCount: read.request.numbers.length,
      submittedAt: instantOf(clock()),
      taskId: null,
      matchedBy: null,
      hasToken: marks !== null,
    };
    // Before the claim: between the claim and the request nothing else is waited for.
    const request = marks ? await slices.run(viewer, marks.attach(read.request, submission.id)) : read.request;
    const body = await slices.run(viewer, upstream.writeTask(request));
    const sent = await claimAndSend(submission, body, onUsed);
    if ("errors" in sent) return sent;
    onUsed();
    return replay(sent, inputSha256);
  };
}

/** Of the same text on every gateway, whatever its version. */
function* digestOf(request: CreateTaskRequest): Steps<string> {
  const hash = createHash("sha256");
  for (const piece of canonicalChunks({ ...request })) {
    hash.update(piece);
    yield;
  }
  return hash.digest("hex");
}

interface Sent {
  result: SubmitResult;
  /** In an object, for a bare promise would be waited for with the rest. */
  kept: { isKept: boolean; whenKept: Promise<void> };
}

const KEEP_AGAIN_MS = 1000;
/** Behind the bell, and to find out whether the gateway that sends has ended. */
const LOOK_AGAIN_MS = 1000;

const unavailable: SubmitError = {
  code: "UNAVAILABLE",
  message: "The service could not be reached or had no room. Nothing was created, and the key is free again.",
  path: [],
};
const conflict: SubmitError = {
  code: "IDEMPOTENCY_CONFLICT",
  message: "The key was used before with another input. Nothing was sent.",
  path: ["idempotencyKey"],
};
const rejected: SubmitError = {
  code: "REJECTED",
  message: "The service refused the task. Nothing was created.",
  path: [],
};

function answer(submission: Submission, replayed: boolean): SubmitResult {
  return { submission, replayed, errors: submission.status === "REJECTED" ? [rejected] : [] };
}

function refused(errors: SubmitError[]): SubmitResult {
  return { submission: null, replayed: false, errors };
}

function statusOf(outcome: Exclude<CreateTaskOutcome, { kind: "unavailable" }>) {
  if (outcome.kind === "accepted") return "ACCEPTED";
  return outcome.kind === "rejected" ? "REJECTED" : "UNCONFIRMED";
}
