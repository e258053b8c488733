// Campaigns over a real database: a service that keeps tasks, the log with its projection, and the desk that calls people again.
import type { HangUpOutcome } from "../../../src/config/hangUpOutcomes.ts";
import { createRecipientProjection } from "../../../src/projections/recipientProjection.ts";
import { createRecipientService, type RecipientService } from "../../../src/projections/recipientService.ts";
import type { CallEndedData, EventSource } from "../../../src/events/callEndedEvent.ts";
import { createForgetPhone } from "../../../src/privacy/erasePhone.ts";
import type { RecipientFilter } from "../../../src/store/projections/recipientStore.ts";
import type { Scope, Viewer } from "../../../src/auth/scopes.ts";
import type { Store } from "../../../src/store/store.ts";
import { createExamineTask } from "../../../src/tasks/callAgain/examineTask.ts";
import { createChoosePeople } from "../../../src/tasks/callAgain/choosePeople.ts";
import { createCheckTask } from "../../../src/tasks/check/taskCheck.ts";
import { createDescribeSchedule } from "../../../src/tasks/check/describeSchedule.ts";
import { createCorrelationTokens } from "../../../src/tasks/correlationToken.ts";
import { createDoNotCallList } from "../../../src/tasks/doNotCallList.ts";
import { createSubmittedTasks } from "../../../src/tasks/submittedTasks.ts";
import { createTaskRules, type Submitter } from "../../../src/tasks/taskRules.ts";
import { createTaskSubmission } from "../../../src/tasks/taskSubmission.ts";
import type { CreateTaskInput } from "../../../src/tasks/validateCreateTask.ts";
import type { CreateTaskRequest, TaskStatus } from "../../../src/upstream/upstream.ts";
import { createSignal } from "../../../src/util/signal.ts";
import { createTimeSlices } from "../../../src/util/timeSlices.ts";
import { callEnded, signer } from "../../events/callEnded.ts";
import { startGateway } from "../../projections/projecting.ts";
import { task } from "../../resolvers/world.ts";
import { until } from "../../support/until.ts";
import { silentLog } from "../../support/silentLog.ts";
import { TIME_ZONE } from "../office.ts";
import { createTaskInput } from "../input.ts";

export interface SentTask {
  taskId: string;
  request: CreateTaskRequest;
}

/** Members of the store of this desk, and how long it waits for recipients. */
type Own = Partial<Pick<Store, "submissions" | "proposals">> & {
  waitMs?: number;
  hangUpOutcomes?: readonly HangUpOutcome[];
  viewerOfKey?: (name: string) => Viewer | null;
  /** Changes what is read of recipients. */
  reading?: (real: RecipientService) => RecipientService;
};

export async function callWorld(
  store: Store,
  { waitMs = 100_000, hangUpOutcomes = [], viewerOfKey = () => null, reading = (real) => real, ...own }: Own = {},
) {
  const { log, projections, stop } = await startGateway(store, createRecipientProjection({ signer, hangUpOutcomes }));
  await until(async () => (await projections.builds()).some(({ state }) => state === "LIVE"));
  const clock = { ms: Date.parse("2026-11-20T09:30:00.000Z") };
  const now = () => clock.ms;
  const slices = createTimeSlices();
  const tokens = createCorrelationTokens(signer);
  const { submissions, proposals } = { ...store, ...own };
  const doNotCall = createDoNotCallList({ store: store.doNotCall, queuedRead: store.queuedRead, slices, clock: now });
  const statuses = new Map<string, TaskStatus>();
  const written = new Map<Buffer, CreateTaskRequest>();
  const sent: SentTask[] = [];
  const upstream = {
    *writeTask(request: CreateTaskRequest) {
      const body = Buffer.from(request.name);
      yield;
      written.set(body, request);
      return body;
    },
    async createTask(body: Buffer) {
      const request = written.get(body);
      if (!request) throw new Error("The body was not written by the service's writer.");
      const taskId = String(1000 + sent.length);
      sent.push({ taskId, request });
      statuses.set(taskId, "running");
      return { kind: "accepted" } as const;
    },
    async getTask(taskId: string) {
      const status = statuses.get(taskId);
      return status ? task({ taskId, status }) : null;
    },
  };
  const rules = createTaskRules({ usage: store.usage, doNotCall, timeZone: TIME_ZONE, slices, clock: now });
  const choosePeople = createChoosePeople({
    store: store.callAgain,
    recipients: reading(createRecipientService(store.recipients, projections)),
    events: log,
    tokens,
    upstream,
    signer,
    slices,
    clock: now,
    waitMs,
  });
  const examineTask = createExamineTask({ rules, choosePeople, signer, store: store.callAgain, slices, clock: now });
  const changes = createSignal();
  const desk = createTaskSubmission({
    store: { submissions, proposals, leases: store.leases, callAgain: store.callAgain },
    upstream,
    rules,
    examineTask,
    tokens,
    correlates: true,
    viewerOfKey,
    policyVersion: () => "",
    submittedTasks: createSubmittedTasks({ store: store.submittedTasks, submissions, tokens, changes }),
    addLines: () => undefined,
    changes,
    pendingTimeoutMs: 60_000,
    pollMs: 50,
    slices,
    clock: now,
    cautiousClock: now,
    log: silentLog,
  });
  const describeSchedule = createDescribeSchedule({ timeZone: TIME_ZONE, days: null, clock: now });
  const checkTask = createCheckTask({ rules, examineTask, describeSchedule, slices });
  const forget = createForgetPhone({
    eraser: store.eraser,
    archive: { remove: async () => undefined },
    events: log,
    clock: now,
    log: silentLog,
  });
  const inputOf = (key: string, taskId: string, filter: RecipientFilter = {}): CreateTaskInput =>
    createTaskInput({
      idempotencyKey: key,
      numbers: [],
      from: { taskId, filter, load: () => upstream.getTask(taskId) },
    });
  let calls = 0;

  return {
    store,
    log,
    stop,
    endProjections: () => projections[Symbol.asyncDispose](),
    sent,
    clock,
    statuses,
    desk,
    doNotCall,
    /** An ended call of task 7 that nobody answered. */
    async call(event: Partial<CallEndedData>, source: EventSource = "WEBHOOK") {
      calls += 1;
      const minute = String(calls % 60).padStart(2, "0");
      const endAt = `2026-11-20T0${Math.floor(calls / 60) % 10}:${minute}:00.000Z`;
      const missed = { answerAt: null, billsec: 0, hangupReason: "no answer", taskItemId: null, endAt };
      await log.append(callEnded({ sessionId: `call ${calls}`, ...missed, ...event }), source);
    },
    again: (key: string, taskId = "7", filter: RecipientFilter = {}, own: Partial<Submitter> = {}) =>
      desk.submitTask({ ...WEB, ...own }, inputOf(key, taskId, filter)),
    propose: (key: string, taskId = "7", filter: RecipientFilter = {}, by: Viewer = PROPOSER) =>
      desk.proposeTask(by, inputOf(key, taskId, filter)),
    approve: (id: string) => desk.approveTask({ name: "boss" }, id),
    check: (taskId = "7", filter: RecipientFilter = {}, own: Partial<Submitter> = {}) =>
      checkTask({ ...WEB, ...own }, inputOf("check", taskId, filter)),
    /** What the correlator does when it reads a call of the task. */
    link: (id: string, taskId: string) => store.submissions.resolve(id, taskId),
    list: (numbers: string[]) => doNotCall.add(numbers, "admin"),
    forget: (number: string) => forget({ number, actor: "admin", dryRun: false }),
  };
}

const WEB: Submitter = { name: "web", limits: null };
/** With a token. */
export const PROPOSER: Viewer = {
  ...WEB,
  access: null,
  scopes: new Set<Scope>(["tasks:propose", "calls:read"]),
  tokenEndsAt: 0,
};

export type CallWorld = Awaited<ReturnType<typeof callWorld>>;

export const numbersOf = ({ request }: SentTask): string[] => request.numbers.map(({ number }) => number);
export const MISSED = { answerAt: null, billsec: 0 } as const;
export const ANSWERED = { answerAt: "2026-11-20T09:00:10.000Z", billsec: 50, hangupReason: "normal" } as const;
