// Makes up a believable past: tasks of every status, and thousands of calls over the last days.
import { createHistoryTask } from "./historyTask.ts";
import { LATEST_CALL_AGO_MS } from "./livelyTasks.ts";
import type { Call, HistoryDeps, Task } from "./model.ts";
import { phoneNumber } from "./fakeData.ts";
import { cutOutcome, drawOutcome } from "../telephony/outcomes.ts";
import type { Random } from "../random.ts";
import { createRandom } from "../random.ts";
import { createEndedCall } from "../telephony/telephone.ts";
import { dateOf, dayOf } from "../timeText.ts";
import { INBOUND_EVERY_MS, inboundCallSetup } from "../telephony/inboundTraffic.ts";
import { DAY_MS } from "../clock.ts";

export interface HistorySize {
  tasks: number;
  /** Approximate. */
  calls: number;
  /** Including today. */
  days: number;
  /**
   * A past that goes over into the present: tasks that run began in the last hours, calls of the last hour come as often as new ones, and
   * some end just now. Few of the older calls have a recording.
   */
  isLively?: boolean;
}

const HOUR_MS = 3_600_000;
/** In a lively history, calls of the last minutes have recordings, and this share of the older ones: an archive fetches each. */
const ALL_RECORDED_MS = 10 * 60_000;
const RECORDED_SHARE = 0.03;

/**
 * The same seed and instant give the same past, except for the session ids. All calls have ended, and their events are not
 * sent. Pending and running tasks have numbers left to dial.
 */
export function createHistory(size: HistorySize, deps: HistoryDeps): { tasks: Task[]; calls: Call[] } {
  const quota = Math.floor((size.calls * 0.66) / Math.max(1, Math.ceil(size.tasks * 0.9)));
  const { days, isLively = false } = size;
  const parts = Array.from({ length: size.tasks }, (_, index) =>
    createHistoryTask({ index, quota, days, isLively }, deps),
  );
  const calls = parts.flatMap((each) => each.calls);
  const random = createRandom(deps.seed, "history");
  const others = Math.max(0, isLively ? Math.floor(size.calls * 0.34) : size.calls - calls.length);
  for (let count = 0; count < others; count += 1) {
    const startAt = pastInstant(random, days, deps);
    calls.push(count % 9 === 8 ? createDebugCall(random, startAt, deps) : createInboundCall(random, startAt, deps));
  }
  if (isLively) {
    calls.push(...createRecentInbound(random, deps));
    for (const call of calls)
      call.isRecorded = call.startAt > deps.now - ALL_RECORDED_MS || random.chance(RECORDED_SHARE);
  }
  return {
    tasks: parts.map((each) => each.task).toSorted((a, b) => a.createdAt - b.createdAt),
    calls: calls.toSorted((a, b) => a.startAt - b.startAt),
  };
}

function createInboundCall(random: Random, startAt: number, deps: HistoryDeps): Call {
  const assistant = random.pick(deps.inbound);
  const language = random.chance(0.75) ? "zh" : "en";
  const dialled = inboundCallSetup(assistant, phoneNumber(random, language), deps.session());
  const seconds = Math.floor((deps.now - startAt) / 1000);
  return createEndedCall(dialled, cutOutcome(random, drawOutcome(random, "inbound"), seconds), startAt);
}

/** Makes the calls of the last hour, as often as new ones. */
function createRecentInbound(random: Random, deps: HistoryDeps): Call[] {
  const calls: Call[] = [];
  const step = () => random.int(INBOUND_EVERY_MS.min, INBOUND_EVERY_MS.max);
  for (let startAt = deps.now - HOUR_MS; startAt <= deps.now - LATEST_CALL_AGO_MS; startAt += step())
    calls.push(createInboundCall(random, Math.floor(startAt / 1000) * 1000, deps));
  return calls;
}

/** A debug call: it has no task, and the filter `description=privateTest` finds it. */
function createDebugCall(random: Random, startAt: number, deps: HistoryDeps): Call {
  const assistant = random.pick(deps.assistants);
  const version = random.pick(assistant.versions);
  const dialled = {
    sessionId: deps.session(),
    taskId: null,
    taskItemId: null,
    kind: "privateTest" as const,
    direction: "outbound" as const,
    caller: "A000",
    callee: phoneNumber(random, version.language),
    assistants: [{ id: assistant.id, vid: version.vid }],
    extra: {},
  };
  return createEndedCall(dialled, drawOutcome(random, "outbound"), startAt);
}

/** Mostly during the day, and at least four minutes ago, so that every call has ended. */
function pastInstant(random: Random, days: number, deps: HistoryDeps): number {
  const latest = deps.now - 240_000;
  const daysAgo = random.int(0, Math.max(0, days - 1));
  const midnight = dayOf(deps.now, deps.timeZone).start;
  const hour = random.chance(0.9) ? random.int(8, 20) : random.int(0, 23);
  const time = `${String(hour).padStart(2, "0")}:${String(random.int(0, 59)).padStart(2, "0")}`;
  const instant = Temporal.PlainDateTime.from(`${dateOf(deps.now, deps.timeZone, -daysAgo)}T${time}`)
    .add({ seconds: random.int(0, 59) })
    .toZonedDateTime(deps.timeZone).epochMilliseconds;
  if (instant <= latest) return instant;
  // A later time of today moves to yesterday; if the history has only today, to the part of today that is past.
  if (days > 1) return instant - DAY_MS;
  return Math.floor(Math.min(midnight, latest) + random.next() * Math.max(0, latest - midnight));
}
