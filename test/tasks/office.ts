// The desk at which tasks are submitted, over a real database and a service that answers as a test says.
import { createSignal } from "../../src/util/signal.ts";
import { createLogger } from "../../src/logger.ts";
import type { Store } from "../../src/store/store.ts";
import type { SubmissionStore } from "../../src/store/tasks/submissionStore.ts";
import type { Viewer } from "../../src/auth/scopes.ts";
import type { ViewerLimits } from "../../src/auth/viewerPolicy.ts";
import { createExamineTask } from "../../src/tasks/callAgain/examineTask.ts";
import { createCheckTask } from "../../src/tasks/check/taskCheck.ts";
import { createDescribeSchedule } from "../../src/tasks/check/describeSchedule.ts";
import { createTaskSubmission } from "../../src/tasks/taskSubmission.ts";
import { createTaskRules } from "../../src/tasks/taskRules.ts";
import type { CheckTaskInput, CreateTaskInput } from "../../src/tasks/validateCreateTask.ts";
import type { CreateTaskOutcome, CreateTaskRequest } from "../../src/upstream/upstream.ts";
import { signer } from "../events/callEnded.ts";
import { tempStore } from "../store/tempStore.ts";
import { createTimeSlices } from "../../src/util/timeSlices.ts";

export type Send = (request: CreateTaskRequest) => Promise<CreateTaskOutcome> | CreateTaskOutcome;

export const ACCEPTED: CreateTaskOutcome = { kind: "accepted" };
export const UNAVAILABLE: CreateTaskOutcome = { kind: "unavailable", retryAfter: undefined };

export const TIME_ZONE = "Asia/Shanghai";

export const now = { ms: Date.parse("2026-11-20T09:30:00.000Z") };

/** In this office numbers are in the input. */
export const chooseNobody = async () => {
  throw new Error("people are called again");
};

export async function office(
  send: Send = () => ACCEPTED,
  broken: (real: SubmissionStore) => Partial<SubmissionStore> = () => ({}),
  store: Pick<Store, "submissions" | "proposals" | "leases" | "usage" | "callAgain"> | null = null,
  limitsOf: ReadonlyMap<string, ViewerLimits> = new Map(),
  viewerOfKey: (name: string) => Viewer | null = () => null,
  neverCalled: ReadonlySet<string> = new Set(),
  policies: { version: string } = { version: "" },
) {
  const { submissions: real, proposals, leases, usage, callAgain } = store ?? (await tempStore());
  const submissions = { ...real, ...broken(real) };
  const written = new Map<Buffer, CreateTaskRequest>();
  const sent: CreateTaskRequest[] = [];
  const lines: string[] = [];
  const log = createLogger({ level: "debug", secrets: [], write: (line) => lines.push(line) });
  const slices = createTimeSlices();
  const clock = () => now.ms;
  const isListed = (phone: string) => neverCalled.has(phone);
  const doNotCall = {
    find: async (phones: readonly string[]) => [...phones.keys()].filter((at) => isListed(phones[at] ?? "")),
  };
  const rules = createTaskRules({ usage, doNotCall, timeZone: TIME_ZONE, slices, clock });
  const examineTask = createExamineTask({ rules, choosePeople: chooseNobody, signer, store: callAgain, slices, clock });
  const changes = createSignal();
  const task = createTaskSubmission({
    store: { submissions, proposals, leases, callAgain },
    upstream: {
      *writeTask(request) {
        const body = Buffer.from(request.name);
        yield;
        written.set(body, request);
        return body;
      },
      async createTask(body) {
        const request = written.get(body);
        if (!request) throw new Error("The body was not written by the service's writer.");
        sent.push(request);
        return send(request);
      },
      getTask: async () => null,
    },
    rules,
    examineTask,
    tokens: null,
    correlates: true,
    viewerOfKey,
    policyVersion: () => policies.version,
    submittedTasks: { isOf: async () => true },
    addLines: () => undefined,
    changes,
    pendingTimeoutMs: 60_000,
    pollMs: 50,
    slices,
    clock,
    cautiousClock: clock,
    log,
  });
  const submitter = (name: string) => ({ name, limits: limitsOf.get(name) ?? null });
  const submit = (viewer: string, input: CreateTaskInput) => task.submitTask(submitter(viewer), input);
  const describeSchedule = createDescribeSchedule({ timeZone: TIME_ZONE, days: null, clock });
  const checkTask = createCheckTask({ rules, examineTask, describeSchedule, slices });
  const check = (viewer: string, input: CheckTaskInput) => checkTask(submitter(viewer), input);
  const limits = (viewer: string) => rules.limits(submitter(viewer));
  return { submit, check, limits, written, sent, lines, submissions: real, desk: task.submissions, task };
}
