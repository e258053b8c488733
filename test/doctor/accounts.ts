// Random sandboxes that differ in everything service.md leaves open, and the correct findings for each.
import { fixedToken } from "../../src/upstream/serviceToken.ts";
import * as fc from "fast-check";
import { createProbeClient } from "../../src/doctor/probeClient.ts";
import { examine } from "../../src/doctor/examine.ts";
import { NO_ORDER } from "../../src/doctor/judgeRows.ts";
import type { Finding, Question } from "../../src/doctor/finding.ts";
import { quirksSchema, DEFAULT_QUIRKS, type Quirks } from "../../sandbox/src/control/quirks.ts";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { createSingleGet } from "../../src/upstream/openTransport.ts";
import { emptySandbox } from "../support/emptySandbox.ts";

export interface Account {
  timeZone: string;
  quirks: Quirks;
  calls: number;
  bigIds: boolean;
  /** Seconds between the creation of a task and its first call. */
  firstCallAfterS: number;
  /** How many seconds longer the second of the two tasks waited. */
  secondTaskLaterS: number;
  /** How far the service's clock is ahead of its Date header, ms. */
  skewMs: number;
  seed: number;
}

const TOKEN = "doctor-token-7a1";
const MINUTE = 60_000;
const { shape } = quirksSchema;
const oneOf = <T>({ options }: { options: readonly T[] }) => fc.constantFrom(...options);
const mostly = <T>(usual: T, odd: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: odd });

const quirks: fc.Arbitrary<Quirks> = fc
  .record({
    goNulls: fc.boolean(),
    zeroTimes: fc.boolean(),
    missingTimes: oneOf(shape.missingTimes),
    callLogTimes: fc.constantFrom("wall" as const, "wall", "wallZ", "rfc3339", "rfc3339", "epochS", "epochMs"),
    taskTimes: fc.constantFrom("wall" as const, "wallZ", "rfc3339", "rfc3339", "epochS", "epochMs"),
    order: oneOf(shape.order),
    maxPageSize: fc.constantFrom(null, null, 50, 20, 7),
    pageSizeTold: oneOf(shape.pageSizeTold),
    nullBeyondEnd: fc.boolean(),
    extraFields: fc.boolean(),
    rangeField: oneOf(shape.rangeField),
    rangeEnds: oneOf(shape.rangeEnds),
    assistantIdsEncoding: oneOf(shape.assistantIdsEncoding),
    foreignEncoding: oneOf(shape.foreignEncoding),
    inboundTaskId: oneOf(shape.inboundTaskId),
    ignoredParameters: mostly<Quirks["ignoredParameters"]>(
      [],
      fc.subarray(["taskId", "startTime", "endTime", "direction", "phone", "description"], {
        minLength: 1,
        maxLength: 2,
      }),
    ),
  })
  .map((odd) => ({ ...DEFAULT_QUIRKS, ...odd }));

export const accounts: fc.Arbitrary<Account> = fc.record({
  timeZone: fc.constantFrom(
    "Asia/Shanghai",
    "UTC",
    "America/New_York",
    "Europe/Berlin",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Pacific/Auckland",
    "America/St_Johns",
    "Australia/Lord_Howe",
    "Pacific/Honolulu",
  ),
  quirks,
  calls: fc.constantFrom(0, 12, 70, 260, 260, 260),
  bigIds: fc.boolean(),
  firstCallAfterS: fc.constantFrom(30, 30, 600, 7200),
  secondTaskLaterS: fc.constantFrom(0, 240, 3000),
  skewMs: mostly(0, fc.constantFrom(-180 * MINUTE, 40 * MINUTE, 75 * MINUTE)),
  seed: fc.nat(1_000_000),
});

/** Starts a sandbox that holds the account. */
export async function openAccount(account: Account): Promise<Sandbox> {
  const { timeZone, quirks, skewMs } = account;
  const sandbox = await emptySandbox({ token: TOKEN, timeZone, now: () => Date.now() + skewMs });
  sandbox.control.setQuirks(quirks);
  sandbox.control.seed(contentsOf(account, sandbox.now()));
  return sandbox;
}

export async function examineUrl(url: string, limits = { requests: 60, pauseMs: 0 }, token = TOKEN) {
  await using service = createSingleGet({ url, token: fixedToken(token), proxy: null, timeoutMs: 10_000 });
  const client = createProbeClient(service, limits);
  const examination = await examine(client, Date.now);
  return { examination, requests: client.requestCount() };
}

/** The correct value for each question; a question without a value must stay undetermined. */
export function truthOf({ timeZone, quirks, bigIds }: Account): Partial<Record<Question, string>> {
  const ignored = (name: Quirks["ignoredParameters"][number]) => quirks.ignoredParameters.includes(name);
  const isRanged = !ignored("startTime") && !ignored("endTime") && quirks.rangeField !== "create";
  const filter = (name: "taskId" | "direction" | "phone" | "description") => (ignored(name) ? "ignored" : "applied");
  const forms = {
    wall: "wall",
    wallZ: "rfc3339",
    rfc3339: "rfc3339",
    epochS: "epochSeconds",
    epochMs: "epochMilliseconds",
  };
  const encoding = quirks.assistantIdsEncoding;
  const now = Temporal.Now.instant().toZonedDateTimeISO(timeZone);
  return {
    // If `Z` marks the wall clock, no zone reads the times correctly, unless the offset is 0.
    ...(quirks.callLogTimes === "wallZ" && now.offsetNanoseconds !== 0 ? {} : { timeZone: now.offset }),
    ...(isRanged
      ? { rangeField: { start: "startAt", answer: "answerAt", end: "endAt", create: "" }[quirks.rangeField] }
      : {}),
    ...(isRanged
      ? {
          rangeEnds: {
            inclusive: "both",
            endExclusive: "startTime only",
            startExclusive: "endTime only",
            exclusive: "neither",
          }[quirks.rangeEnds],
        }
      : {}),
    sortOrder: {
      newest: "startAt, newest first",
      oldest: "startAt, oldest first",
      newestEnd: "endAt, newest first",
      byId: "sessionId, ascending",
      shuffled: NO_ORDER,
    }[quirks.order],
    pageClamp: String(quirks.maxPageSize ?? 100),
    assistantIds: encoding === "any" ? "comma, repeat, brackets" : encoding,
    direction: filter("direction"),
    taskId: filter("taskId"),
    severalTaskIds: filter("taskId"),
    phone: filter("phone"),
    description: filter("description"),
    callLogTimes: forms[quirks.callLogTimes],
    taskTimes: forms[quirks.taskTimes],
    missingTimes: quirks.zeroTimes ? "zero" : quirks.missingTimes,
    noMatches: quirks.goNulls ? "null" : "[]",
    beyondEnd: quirks.goNulls || quirks.nullBeyondEnd ? "null" : "[]",
    idSizes: bigIds ? "2^53 or more" : "below 2^31",
  };
}

/** Determined findings with a wrong value. */
export function wrongFindings(findings: readonly Finding[], account: Account): string[] {
  const truth = truthOf(account);
  return findings
    .filter(({ question, confidence, value }) => confidence === "determined" && value !== truth[question])
    .map(({ question, value, evidence }) => `${question}: ${value}, not ${truth[question]}. ${evidence}`);
}

/** Calls of the last hours, the newest a minute old: some overlap, some were not answered, one has not ended. */
function contentsOf({ calls, bigIds, firstCallAfterS, secondTaskLaterS, seed }: Account, now: number) {
  const random = createRandomInt(seed);
  const base = bigIds ? 9_007_199_254_740_993_000n : 1000n;
  const first = now - MINUTE * 60 * 5;
  const made = Array.from({ length: calls }, (_, at) => {
    const startAt = Math.floor((first + ((now - first - 5 * MINUTE) * at) / calls + random(20_000)) / 1000) * 1000;
    const answerAt = random(4) === 0 ? null : startAt + 4000 + random(20) * 1000;
    const endAt = (answerAt ?? startAt) + 7000 + random(200) * 1000;
    const assistant = base + BigInt(random(3));
    const task = at % 3 === 2 ? undefined : base + 10n + BigInt(at % 2);
    return {
      sessionId: `${random(2 ** 31)}-${at}`,
      ...(task === undefined ? {} : { taskId: task }),
      startAt,
      answerAt,
      endAt: at === calls - 1 ? null : endAt,
      createdAt: startAt - 5000 - random(60) * 1000,
      assistant: [{ id: assistant, vid: assistant + 500n }],
    };
  });
  const tasks = [0, 1].map((index) => ({
    id: base + 10n + BigInt(index),
    createdAt: first - (firstCallAfterS + index * secondTaskLaterS) * 1000,
  }));
  return { calls: made, tasks };
}

/** Integers below a limit; the same sequence for the same seed. */
function createRandomInt(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
