// What createTask does before a task is sent or proposed: it validates the input, looks its idempotency key up, and applies the limits
// and the never-call list.
import { createHash, randomUUID } from "node:crypto";
import { releaseOf } from "../util/bodies/bodyTurn.ts";
import { canonicalChunks } from "../util/canonicalJson.ts";
import { instantOf } from "../format/instant.ts";
import type { TimeSlices, Steps } from "../util/timeSlices.ts";
import type { Submission } from "../store/tasks/submissionRow.ts";
import type { SubmissionStore } from "../store/tasks/submissionStore.ts";
import type { CreateTaskRequest } from "../upstream/upstream.ts";
import { validateCreateTask, type CreateTaskInput } from "./validateCreateTask.ts";
import type { SubmissionSender } from "./submissionSender.ts";
import { conflict, refused, unavailable, type SubmitResult } from "./submitResult.ts";
import type { Submitter, TaskRules } from "./taskRules.ts";

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
  /** The whole input. */
  request: CreateTaskRequest;
  skipsDoNotCall: boolean;
  /** The request without the numbers that are left out. */
  allowed: CreateTaskRequest;
}

export interface TaskPreparationDeps {
  submissions: Pick<SubmissionStore, "byKey" | "hasInput">;
  rules: Pick<TaskRules, "examine">;
  sender: Pick<SubmissionSender, "outcomeOf">;
  sendsTokens: boolean;
  slices: TimeSlices;
  clock: () => number;
}

export function createTaskPreparation(deps: TaskPreparationDeps): TaskPreparation {
  const { submissions, rules, sender, sendsTokens, slices, clock } = deps;

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
      const skipsDoNotCall = input.skipDoNotCall === true;
      const inputSha256 = await slices.run(name, digestOf(request, skipsDoNotCall));
      const known = await submissions.byKey(name, input.idempotencyKey);
      if (known) {
        // The first request may wait for the service.
        releaseOf(input.numbers)?.();
        return { task: null, result: await replay(known, inputSha256) };
      }
      const { errors, request: allowed, leftOutCount } = await rules.examine(viewer, request, skipsDoNotCall);
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
      };
      return { task: { submission, request, skipsDoNotCall, allowed }, result: null };
    },
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
