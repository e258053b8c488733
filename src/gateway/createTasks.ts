// Tasks that are created through the gateway: their submissions, and how each learns the ID of its task.
import type { Auth } from "../auth/createAuth.ts";
import { createCorrelationTokens } from "../tasks/correlationToken.ts";
import { createCorrelator } from "../tasks/correlator.ts";
import { startCorrelation } from "../tasks/startCorrelation.ts";
import { recordLines } from "../tasks/lineRegistry.ts";
import { startProposalExpiry } from "../tasks/proposals/startProposalExpiry.ts";
import { startSettling } from "../tasks/startSettling.ts";
import { createExamineTask } from "../tasks/callAgain/examineTask.ts";
import { createChoosePeople } from "../tasks/callAgain/choosePeople.ts";
import { createCheckTask, type CheckTask } from "../tasks/check/taskCheck.ts";
import { createDescribeSchedule, type DescribeSchedule } from "../tasks/check/describeSchedule.ts";
import { createDoNotCallList, type DoNotCallList } from "../tasks/doNotCallList.ts";
import { createSubmittedTasks, type SubmittedTasks } from "../tasks/submittedTasks.ts";
import { createTaskRules, type TaskRules } from "../tasks/taskRules.ts";
import { createTaskSubmission, type TaskSubmission } from "../tasks/taskSubmission.ts";
import type { Base } from "./base.ts";
import type { Events } from "./createEvents.ts";
import type { Projections } from "./createProjections.ts";
import type { Service } from "./createService.ts";
import type { Storage } from "./createStorage.ts";

export interface Tasks extends TaskSubmission, AsyncDisposable {
  checkTask: CheckTask;
  describeSchedule: DescribeSchedule;
  rules: TaskRules;
  submittedTasks: SubmittedTasks;
  doNotCall: DoNotCallList;
}

export interface TasksDeps extends Base {
  storage: Storage;
  service: Service;
  auth: Auth;
  events: Events;
  projections: Projections;
}

/** Beyond the deadline of a request: how long the lease of a gateway that was killed while it sent may still run. */
const LEASE_MARGIN_MS = 30_000;

export function createTasks(deps: TasksDeps): Tasks {
  const { config, storage, observers, slices, log } = deps;
  const { timeZone } = config.upstream;
  const { now: clock, cautiousNow: cautiousClock } = storage.clock;
  const { upstream } = deps.service;
  const { events, submissionChanges: changes } = deps.events;
  const { submissions, proposals, leases, readers, taskComparisons } = storage.store;
  const sendsTokens = config.taskCorrelation === "extra";
  const tokens = createCorrelationTokens(storage.signer);
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
    observer: observers.events,
    log,
  });
  const { doNotCall: doNotCallStore, queuedRead } = storage.store;
  const doNotCall = createDoNotCallList({ store: doNotCallStore, queuedRead, slices, clock });
  const rules = createTaskRules({ usage: storage.store.usage, doNotCall, timeZone, slices, clock });
  const choosePeople = createChoosePeople({
    store: storage.store.callAgain,
    recipients: deps.projections.recipients,
    events,
    tokens,
    upstream,
    signer: storage.signer,
    slices,
    clock: cautiousClock,
  });
  const examineTask = createExamineTask({
    rules,
    choosePeople,
    signer: storage.signer,
    store: storage.store.callAgain,
    slices,
    clock: cautiousClock,
  });
  const describeSchedule = createDescribeSchedule({ timeZone, days: config.taskDays, clock });
  const submittedTasks = createSubmittedTasks({ store: storage.store.submittedTasks, submissions, tokens, changes });
  const submission = createTaskSubmission({
    store: storage.store,
    upstream,
    rules,
    examineTask,
    tokens: sendsTokens ? tokens : null,
    correlates: sendsTokens,
    viewerOfKey: deps.auth.viewerOfKey,
    policyVersion: deps.auth.policyVersion,
    submittedTasks,
    addLines: storage.lines.addSubmitted,
    changes,
    pendingTimeoutMs: config.requests.timeoutMs + LEASE_MARGIN_MS,
    slices,
    clock: storage.clock.entryNow,
    cautiousClock,
    log,
  });
  const expiry = startProposalExpiry({ proposals, changes, clock: cautiousClock, log });
  const settling = startSettling({ submissions, submissionService: submission.submissions, log });
  return {
    ...submission,
    submitTask: recordLines(submission.submitTask, storage.lines),
    checkTask: createCheckTask({ rules, examineTask, describeSchedule, slices }),
    describeSchedule,
    rules,
    submittedTasks,
    doNotCall,
    async [Symbol.asyncDispose]() {
      await settling[Symbol.asyncDispose]();
      await expiry[Symbol.asyncDispose]();
      await correlation[Symbol.asyncDispose]();
    },
  };
}
