// What createTask does before a task is sent or proposed: it validates the input, looks its idempotency key up, and applies the limits
// and the never-call list.
import { createHash, randomUUID } from "node:crypto";
import { releaseOf } from "../util/bodies/bodyTurn.ts";
import { canonicalChunks } from "../util/canonicalJson.ts";
import { instantOf } from "../format/instant.ts";
import type { TimeSlices, Steps } from "../util/timeSlices.ts";
import type { NewCallAgain } from "../store/tasks/callAgainWrites.ts";
import type { Submission } from "../store/tasks/submissionRow.ts";
import type { SubmissionStore } from "../store/tasks/submissionStore.ts";
import type { CreateTaskRequest } from "../upstream/upstream.ts";
import type { CallAgainSource } from "./callAgain/callAgainSource.ts";
import type { ExamineTask } from "./callAgain/examineTask.ts";
import { validateCreateTask, type CreateTaskInput } from "./validateCreateTask.ts";
import type { SubmissionSender } from "./submissionSender.ts";
import { conflict, refused, unavailable, type SubmitResult } from "./submitResult.ts";
import type { Submitter } from "./taskRules.ts";

export interface TaskPreparation {
  /** Null of `task`: the result is known, because the input is refused or its key was used before. Throws STORE_UNAVAILABLE. */
  prepare(viewer: Submitter, input: CreateTaskInput): Promise<Prepared>;
  /** The result of the first request with this key, which another gateway may still be sending. */
  replay(holder: Submission, inputSha256: string): Promise<SubmitResult>;
}

export type Prepared = { task: PreparedTask; result: null } | { task: null; result: SubmitResult };

export interface PreparedTask {
  /** PENDING, and not stored yet. */
  submission: Submission;
  /** The whole input, with the people that it calls again as its numbers. */
  request: CreateTaskRequest;
  skipsDoNotCall: boolean;
  /** The request without the numbers that are left out. */
  allowed: CreateTaskRequest;
  /** The people that it calls again. Null: its numbers were in the input. */
  callAgain: NewCallAgain | null;
}

export interface TaskPreparationDeps {
  submissions: Pick<SubmissionStore, "byKey" | "hasInput">;
  examineTask: ExamineTask;
  sender: Pick<SubmissionSender, "outcomeOf">;
  sendsTokens: boolean;
  slices: TimeSlices;
  clock: () => number;
}

export function createTaskPreparation(deps: TaskPreparationDeps): TaskPreparation {
  const { submissions, examineTask, sender, sendsTokens, slices, clock } = deps;

  async function replay(holder: Submission, inputSha256: string): Promise<SubmitResult> {
    if (!submissions.hasInput(holder, inputSha256)) return refused([conflict]);
    return (await sender.outcomeOf(holder)) ?? refused([unavailable]);
  }

  return {
    replay,
    async prepare(viewer, input) {
      const { name } = viewer;
      const read = await slices.run(name, validateCreateTask(input));
      if ("errors" in read) {
        const errors = read.errors.map((error) => ({ code: "INVALID_INPUT", ...error }) as const);
        return { task: null, result: refused(errors) };
      }
      const { request } = read;
      const from = input.from ?? null;
      const skipsDoNotCall = input.skipDoNotCall === true;
      const inputSha256 = await slices.run(name, digestOf(request, { skipsDoNotCall, from }));
      const known = await submissions.byKey(name, input.idempotencyKey);
      if (known) {
        // The first request may wait for the service.
        releaseOf(input.numbers)?.();
        return { task: null, result: await replay(known, inputSha256) };
      }
      const examined = await examineTask(viewer, { request, skipsDoNotCall, from, proposal: null });
      const { errors, request: allowed, leftOutCount, callAgain } = examined;
      if (errors.length > 0) return { task: null, result: refused(errors) };
      const submission: Submission = {
        id: randomUUID(),
        viewer: name,
        idempotencyKey: input.idempotencyKey,
        inputSha256,
        status: "PENDING",
        name: request.name,
        assistantId: request.assistantId,
        numberCount: allowed.numbers.length,
        leftOutCount,
        submittedAt: instantOf(clock()),
        sentAt: null,
        taskId: null,
        matchedBy: null,
        hasToken: sendsTokens,
        proposal: null,
        calledAgain: callAgain && calledAgainOf(callAgain),
      };
      const whole = from ? allowed : request;
      const skips = skipsDoNotCall || from !== null;
      return { task: { submission, request: whole, skipsDoNotCall: skips, allowed, callAgain }, result: null };
    },
  };
}

/** The part that is shown. */
const calledAgainOf = ({ taskId, leftOut, withoutVariables }: NewCallAgain) => ({ taskId, leftOut, withoutVariables });

/**
 * A digest of canonical JSON, which is the same on all versions of the gateway. It is of the input as it was given: a repetition calls no
 * other people, whoever is chosen by then.
 */
function* digestOf(
  request: CreateTaskRequest,
  { skipsDoNotCall, from }: { skipsDoNotCall: boolean; from: CallAgainSource | null },
): Steps<string> {
  const hash = createHash("sha256");
  const source = from && { taskId: from.taskId, filter: from.filter };
  const input = {
    ...request,
    ...(skipsDoNotCall ? { skipDoNotCall: true } : {}),
    ...(source ? { from: source } : {}),
  };
  for (const piece of canonicalChunks(input)) {
    hash.update(piece);
    yield;
  }
  return hash.digest("hex");
}
