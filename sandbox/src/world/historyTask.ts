// Makes up one task of the past with its progress and its calls.
import { answeredShareAt, LATEST_CALL_AGO_MS, livelyHours, livelyPace, livelyStatus } from "./livelyTasks.ts";
import type { Assistant, AssistantVersion, Call, HistoryDeps, Task, TaskItem, TaskStatus } from "./model.ts";
import { isOver, NO_EXACT_FIELDS } from "./model.ts";
import { personExtra, phoneNumber, taskName, taskSummary } from "./fakeData.ts";
import type { CallOutcome } from "../telephony/outcomes.ts";
import { cutOutcome, drawOutcome, percentages } from "../telephony/outcomes.ts";
import type { Random } from "../random.ts";
import { createRandom } from "../random.ts";
import { taskCallSetup, createEndedCall } from "../telephony/telephone.ts";
import { dateOf, dayOf, periodsOf } from "../timeText.ts";

/** The first ten tasks have every status; half of them are done. */
const STATUSES: readonly TaskStatus[] = [
  "done",
  "running",
  "done",
  "stop.timeout",
  "pending",
  "done",
  "stop.operate",
  "done",
  "stop.abnormal",
  "done",
];
const FIRST_TASK = 1001;
const FIRST_ITEM = 500_001;
const ITEMS_PER_TASK = 10_000;
const LAST_CALL_AGO_MS = 240_000;
/** A running task makes its share of calls in this time: one that started at midnight may have run for only minutes. */
const SHARE_MS = 12 * 3_600_000;
const AROUND_THE_CLOCK = [["00:00", "23:59:59"]];
const OFFICE_HOURS = [
  ["09:00", "12:00"],
  ["13:30", "18:30"],
];

export function createHistoryTask(
  plan: { index: number; quota: number; days: number; isLively: boolean },
  deps: HistoryDeps,
): { task: Task; calls: Call[] } {
  const random = createRandom(deps.seed, "task", plan.index);
  const { isLively } = plan;
  const planned = STATUSES[plan.index % STATUSES.length] ?? "done";
  const place = Math.floor(plan.index / STATUSES.length);
  const status = isLively ? livelyStatus(planned, place) : planned;
  const assistant = random.pick(deps.assistants.filter((each) => !deps.inbound.includes(each)));
  const version = random.pick(assistant.versions);
  // A running task may dial around the clock, so that a sandbox started at night has calls too.
  const usual = status === "running" ? AROUND_THE_CLOCK : OFFICE_HOURS;
  const startTime = (isLively && livelyHours(status, place, deps, random)) || usual;
  const today = dateOf(deps.now, deps.timeZone, 0);
  // A finished task must have ended before now: one of today only if the office hours are over.
  const isTodayOver = (periodsOf(today, OFFICE_HOURS, deps.timeZone).at(-1)?.end ?? 0) <= deps.now - LAST_CALL_AGO_MS;
  const oldest = Math.max(0, plan.days - 1);
  const drawn = random.int(isTodayOver || oldest === 0 ? 0 : 1, oldest);
  const daysAgo = status === "pending" ? -1 : status === "running" ? 0 : drawn;
  const startDate = dateOf(deps.now, deps.timeZone, -daysAgo);
  const task = createEmptyTask({ ...plan, status, startDate, startTime, assistant, version, random }, deps);
  const calls = status === "pending" ? [] : createCalls(task, { random, quota: plan.quota, version, isLively }, deps);
  const left = countNumbersLeft(status, random);
  const base = BigInt(FIRST_ITEM + plan.index * ITEMS_PER_TASK + task.done);
  const waiting = Array.from({ length: left }, (_, at) => createItem(base + BigInt(at), version, random));
  task.total = task.done + left;
  task.items = isOver(task) ? [] : waiting;
  Object.assign(task, percentages(task));
  if (isOver(task)) Object.assign(task, taskSummary(version.language, task.collectionRate));
  task.updatedAt = calls.at(-1)?.endAt ?? task.createdAt;
  return { task, calls };
}

function createEmptyTask(
  made: {
    index: number;
    status: TaskStatus;
    startDate: string;
    startTime: string[][];
    assistant: Assistant;
    version: AssistantVersion;
    random: Random;
  },
  deps: HistoryDeps,
): Task {
  const { random, assistant, version } = made;
  const createdAt = dayOf(deps.now, deps.timeZone).start - random.int(1, 72) * 1_800_000;
  const firstPeriod = periodsOf(made.startDate, made.startTime, deps.timeZone)[0]?.start ?? createdAt;
  return {
    id: BigInt(FIRST_TASK + made.index),
    name: taskName(random, version.language === "zh" ? "zh" : "en", made.startDate),
    status: made.status,
    createdAt: Math.min(createdAt, firstPeriod - random.int(1, 20) * 1_800_000),
    updatedAt: createdAt,
    total: 0,
    progress: 0,
    collectionRate: 0,
    done: 0,
    collected: 0,
    fileMeta: { number: 0, remarks: 2, name: 1 },
    lines: Array.from({ length: random.int(1, 2) }, (_, at) => BigInt(60 + ((made.index + at) % 12))),
    startDate: made.startDate,
    startTime: made.startTime,
    retryCount: random.int(0, 2),
    retryInterval: random.pick([60, 300, 600]),
    summary: "",
    suggestion: "",
    assistantId: assistant.id,
    assistantVid: version.vid,
    items: [],
    exact: NO_EXACT_FIELDS,
  };
}

/** Makes about `quota` calls, or as many as there was time for, and spreads them over the task's hours. */
function createCalls(
  task: Task,
  made: { random: Random; quota: number; version: AssistantVersion; isLively: boolean },
  deps: HistoryDeps,
): Call[] {
  const { random, version, isLively } = made;
  const latest = deps.now - (isLively ? LATEST_CALL_AGO_MS : LAST_CALL_AGO_MS);
  const periods = periodsOf(task.startDate, task.startTime, deps.timeZone);
  const first = Math.min(periods[0]?.start ?? latest, latest);
  const end = Math.max(first, Math.min(periods.at(-1)?.end ?? latest, latest));
  const { calls: quota, last } = isLively
    ? livelyPace(task, made.quota, first, end)
    : { calls: isOver(task) ? made.quota : Math.floor(made.quota * Math.min(1, (end - first) / SHARE_MS)), last: end };
  const share = isLively ? answeredShareAt(first, deps) : undefined;
  const attempts: { item: TaskItem; outcome: CallOutcome }[] = [];
  while (attempts.length < quota) {
    const id = BigInt(FIRST_ITEM + (Number(task.id) - FIRST_TASK) * ITEMS_PER_TASK + task.done);
    const item = createItem(id, version, random);
    let outcome: CallOutcome;
    do {
      outcome = drawOutcome(random, "outbound", share);
      item.attempts += 1;
      attempts.push({ item, outcome });
    } while (!outcome.answered && item.attempts <= task.retryCount);
    task.done += 1;
    if (outcome.collected) task.collected += 1;
  }
  return attempts.map(({ item, outcome }, at) => {
    const startAt = Math.floor((first + ((last - first) * at) / attempts.length) / 1000) * 1000;
    const fitting = cutOutcome(random, outcome, Math.floor((deps.now - startAt) / 1000));
    return createEndedCall(taskCallSetup(task, item, at, deps.session()), fitting, startAt);
  });
}

function createItem(id: bigint, version: AssistantVersion, random: Random): TaskItem {
  return {
    id,
    number: phoneNumber(random, version.language),
    extra: personExtra(random, version.language),
    attempts: 0,
    done: false,
  };
}

/** A running task has enough numbers left for an hour or two. */
function countNumbersLeft(status: TaskStatus, random: Random): number {
  if (status === "done") return 0;
  if (status === "running") return 400;
  return status === "pending" ? 150 : random.int(5, 60);
}
