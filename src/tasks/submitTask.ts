// createTask, at most once: the key and the input's digest are on disk before the request leaves, and the request leaves
// once. What came of it is told as it is known, and never better.
import { createHash, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { instantOf } from "../dialect/instant.ts";
import type { Log } from "../log.ts";
import type { Submission, SubmissionStore } from "../store/submissionStore.ts";
import type { CreateTaskOutcome, CreateTaskRequest, Upstream } from "../upstream/upstream.ts";
import { canonicalJson } from "./canonicalJson.ts";
import { readCreateTaskInput, type CreateTaskInput, type InputError } from "./createTaskInput.ts";

export interface SubmitError extends InputError {
  code: "INVALID_INPUT" | "IDEMPOTENCY_CONFLICT" | "REJECTED" | "UNAVAILABLE";
}

export interface SubmitResult {
  submission: Submission | null;
  replayed: boolean;
  errors: SubmitError[];
}

/** Expected outcomes are data. Throws STORE_UNAVAILABLE before anything was sent, never after. */
export type SubmitTask = (viewer: string, input: CreateTaskInput) => Promise<SubmitResult>;

export interface SubmitTaskDeps {
  upstream: Pick<Upstream, "createTask">;
  submissions: SubmissionStore;
  /** After so long a submission is not being sent any more, whoever sent it. */
  abandonedMs: number;
  clock: () => number;
  log: Log;
}

export function createSubmitTask({ upstream, submissions, abandonedMs, clock, log }: SubmitTaskDeps): SubmitTask {
  /** What this process sends or knows better than the store, by id: who comes again with the key gets the one answer. */
  const underWay = new Map<string, Promise<SubmitResult>>();

  async function send(submission: Submission, request: CreateTaskRequest): Promise<Sent> {
    const outcome = await upstream.createTask(request);
    if (outcome.kind === "unavailable") {
      const kept = await keep(submission.id, () => submissions.release(submission.id));
      return { result: { submission: null, replayed: false, errors: [unavailable] }, kept };
    }
    const status = statusOf(outcome);
    const kept = await keep(submission.id, () => submissions.settle(submission.id, status));
    return { result: answer({ ...submission, status }, false), kept };
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
    if (await attempt()) return { whenKept: Promise.resolve() };
    const again = async () => {
      do await setTimeout(KEEP_AGAIN_MS, undefined, { ref: false });
      while (!(await attempt()));
    };
    return { whenKept: again() };
  }

  /** A gateway that ended while it sent has told nobody what became of it. */
  async function currentOf(submission: Submission): Promise<Submission> {
    const sentBefore = instantOf(clock() - abandonedMs);
    if (submission.status !== "PENDING" || submission.submittedAt >= sentBefore) return submission;
    await submissions.settleAbandoned(sentBefore);
    return (await submissions.byId(submission.id)) ?? submission;
  }

  return async (viewer, input) => {
    const read = readCreateTaskInput(input);
    if ("errors" in read) return refused(read.errors.map((error) => ({ code: "INVALID_INPUT", ...error })));

    const submission: Submission = {
      id: randomUUID(),
      viewer,
      idempotencyKey: input.idempotencyKey,
      inputSha256: createHash("sha256").update(canonicalJson(read.request)).digest("hex"),
      status: "PENDING",
      name: read.request.name,
      assistantId: read.request.assistantId,
      numberCount: read.request.numbers.length,
      submittedAt: instantOf(clock()),
    };
    const claim = await submissions.claim(submission);
    if (claim.claimed) {
      const sending = send(submission, read.request);
      const sent = sending.then(({ result }) => result);
      underWay.set(submission.id, sent);
      void sending
        .then(({ kept }) => kept.whenKept)
        .catch(() => undefined)
        .finally(() => underWay.delete(submission.id));
      return sent;
    }
    if (claim.holder.inputSha256 !== submission.inputSha256) return refused([conflict]);
    const first = await underWay.get(claim.holder.id);
    return first ? { ...first, replayed: first.submission !== null } : answer(await currentOf(claim.holder), true);
  };
}

interface Sent {
  result: SubmitResult;
  /** In an object, for a bare promise would be waited for with the rest. */
  kept: { whenKept: Promise<void> };
}

const KEEP_AGAIN_MS = 1000;

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
