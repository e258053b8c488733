// Tasks that are created through the gateway: their submissions, and how each learns the ID of its task.
import type { Config } from "../config/config.ts";
import type { Log } from "../log.ts";
import { createCorrelationTokens } from "../tasks/correlationToken.ts";
import { createCorrelator } from "../tasks/correlator.ts";
import { startCorrelation } from "../tasks/startCorrelation.ts";
import { recordLines } from "../tasks/lineRegistry.ts";
import { createSubmissionService, type SubmissionService } from "../tasks/submissionService.ts";
import { createCheckTask, type CheckTask } from "../tasks/taskCheck.ts";
import { createDoNotCallList, type DoNotCallList } from "../tasks/doNotCallList.ts";
import { createTaskRules, type TaskRules } from "../tasks/taskRules.ts";
import { createSubmitTask, type SubmitTask } from "../tasks/submitTask.ts";
import type { TimeSlices } from "../util/timeSlices.ts";
import type { Events } from "./createEvents.ts";
import type { Observers } from "../server/metrics/observers.ts";
import type { Service } from "./createService.ts";
import type { Storage } from "./createStorage.ts";

export interface Tasks extends AsyncDisposable {
  submitTask: SubmitTask;
  checkTask: CheckTask;
  rules: TaskRules;
  submissions: SubmissionService;
  doNotCall: DoNotCallList;
}

export interface TasksDeps {
  storage: Storage;
  service: Service;
  observers: Pick<Observers, "events">;
  events: Events;
  taskCorrelation: Config["taskCorrelation"];
  /** Deadline of one request to the service. */
  timeoutMs: number;
  /** Of the service. */
  timeZone: string;
  slices: TimeSlices;
  clock: () => number;
  log: Log;
}

/** Beyond the deadline of a request: how long the lease of a gateway that was killed while it sent may still run. */
const LEASE_MARGIN_MS = 30_000;

export function createTasks(deps: TasksDeps): Tasks {
  const { storage, timeZone, slices, clock, log } = deps;
  const { upstream } = deps.service;
  const { events, submissionChanges: changes } = deps.events;
  const { submissions, leases, readers, taskComparisons } = storage.store;
  const sendsTokens = deps.taskCorrelation === "extra";
  const tokens = createCorrelationTokens(storage.signer);
  const service = createSubmissionService({ submissions, leases, changes, correlates: sendsTokens, log });
  const correlator = createCorrelator({
    upstream,
    submissions,
    taskComparisons,
    tokens,
    changes,
    clock,
    log,
  });
  const correlation = startCorrelation({
    correlator,
    events,
    readers,
    leases,
    observer: deps.observers.events,
    log,
  });
  const doNotCall = createDoNotCallList({ store: storage.store.doNotCall, slices, clock });
  const rules = createTaskRules({ usage: storage.store.usage, doNotCall, timeZone, slices, clock });
  const submit = createSubmitTask({
    upstream,
    submissions,
    rules,
    submissionService: service,
    tokens: sendsTokens ? tokens : null,
    changes,
    pendingTimeoutMs: deps.timeoutMs + LEASE_MARGIN_MS,
    slices,
    clock,
    log,
  });
  const submitTask = recordLines(submit, storage.lines);
  return {
    submitTask,
    checkTask: createCheckTask({ rules, timeZone, slices }),
    rules,
    submissions: service,
    doNotCall,
    [Symbol.asyncDispose]: () => correlation[Symbol.asyncDispose](),
  };
}
