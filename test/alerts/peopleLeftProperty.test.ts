// Random days of a task, looked at by a rule on people that are left, against what people would say of them.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GRACE_MS, KEPT_MS, leftOf } from "../../src/alerts/peopleLeft.ts";
import { createTaskLooks } from "../../src/alerts/taskLooks.ts";
import { instantOf } from "../../src/format/instant.ts";
import type { TaskDays } from "../../src/config/variables.ts";
import { createTaskFacts } from "../../src/gateway/taskFacts.ts";
import type { TaskStatus } from "../../src/upstream/upstream.ts";
import { DAY_MS, MINUTE_MS } from "../../src/util/durations.ts";
import { silentLog } from "../support/silentLog.ts";
import { lookingBy } from "./lookingBy.ts";
import { rulesOf } from "./judging.ts";
import { running } from "./silentWorld.ts";

/** How services make a percentage of a share. */
const roundings = { cut: Math.floor, round: Math.round, raise: Math.ceil };
const rounding = fc.constantFrom(...Object.values(roundings));

describe("The number of people that are left", () => {
  const share = fc
    .record({ total: fc.integer({ min: 0, max: 200_000 }), part: fc.double({ min: 0, max: 1, noNaN: true }) })
    .map(({ total, part }) => ({ total, done: Math.round(total * part) }));
  const decimals = fc.constantFrom(0, 1, 2, 15);

  it("lies between those that a percentage allows, whether services cut, round or raise it", () => {
    const checked = fc.property(share, rounding, decimals, ({ total, done }, round, digits) => {
      const percent = total === 0 ? 0 : (100 * done) / total;
      const shown = digits === 15 ? percent : Number((round(percent * 10 ** digits) / 10 ** digits).toFixed(digits));
      const left = leftOf(total, shown);
      expect(left).not.toBeNull();
      expect(left?.least).toBeLessThanOrEqual(total - done);
      expect(left?.most).toBeGreaterThanOrEqual(total - done);
      if (total <= 50) expect(left?.least).toBe(left?.most);
    });
    fc.assert(checked, { numRuns: 2000 });
  });

  it("is not zero where a percentage is not 100, and is not told by one that no number of people has", () => {
    for (const total of [1, 7, 100, 999, 50_000])
      for (const percent of [0, 50, 99].filter((each) => leftOf(total, each)))
        expect(leftOf(total, percent)?.least).toBeGreaterThan(0);
    expect(leftOf(2, 33.3)).toBeNull();
    for (const percent of [-1, 101, null]) expect(leftOf(10, percent)).toBeNull();
  });
});

const BEGIN = Date.parse("2026-11-18T00:00:00Z");
const createdAt = "2026-11-17T00:00:00.000Z";
const quarter = fc.integer({ min: 1, max: 95 });
const textOf = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60].map((each) => String(each).padStart(2, "0")).join(":");

/** Periods of a day in minutes: one, also over midnight, or two with a break. */
const periods = fc.oneof(
  fc.uniqueArray(quarter, { minLength: 2, maxLength: 2 }).map(([from = 0, to = 0]) => [[from * 15, to * 15]]),
  fc
    .uniqueArray(quarter, { minLength: 4, maxLength: 4 })
    .map((all) => all.toSorted((a, b) => a - b).map((each) => each * 15))
    .map(([a = 0, b = 0, c = 0, d = 0]) => [
      [a, b],
      [c, d],
    ]),
);
const statuses = ["running", "pending", "stop.operate", "done"] as const;
const look = fc.record({
  minute: fc.integer({ min: 0, max: 6 * 24 * 60 }),
  seen: fc.oneof(
    { weight: 6, arbitrary: fc.constant<TaskStatus>("running") },
    fc.constantFrom<TaskStatus | "unknown">(...statuses, "unknown"),
  ),
  isAnswered: fc.boolean(),
});
const world = fc.record({
  periods,
  days: fc.constantFrom<TaskDays | null>("daily", "daily", "first", null),
  total: fc.integer({ min: 1, max: 400 }),
  atLeast: fc.integer({ min: 1, max: 50 }),
  looks: fc.array(look, { minLength: 10, maxLength: 60 }),
  round: rounding,
  isNamed: fc.boolean(),
});

/** The hours of each day, as people would write them down. `isLast`: the day ends with them, because the longest pause follows, or none. */
function hoursOf(all: readonly number[][], days: TaskDays | null) {
  const [[first = 0, noon = 0] = [], [again = 0, evening = 0] = []] = all;
  const [break_, night] = [again - noon, 24 * 60 - evening + first];
  const isLast = (index: number) => {
    if (all.length === 1) return true;
    const isShort = index === 0 ? break_ < night - 120 : night < break_ - 120;
    return days === "first" ? index === 1 : !isShort;
  };
  return Array.from({ length: days === "first" ? 1 : 7 }, (_, day) => day).flatMap((day) =>
    all.map(([from = 0, to = 0], index) => {
      const at = (minutes: number) => BEGIN + day * DAY_MS + minutes * MINUTE_MS;
      const end = at(to > from ? to : to + 24 * 60);
      return { begin: at(from), end, isLast: isLast(index), isKnown: day === 0 || days !== null };
    }),
  );
}

it("An alert on people that are left is open where people would say so, and begins nowhere else", async () => {
  const checked = fc.asyncProperty(world, async ({ periods: all, days, total, atLeast, looks, round, isNamed }) => {
    const named = isNamed ? { tasks: ["7"] } : {};
    const [rule] = await rulesOf({ name: "left", kind: "peopleLeft", ...named, atLeast });
    if (!rule) throw new Error("There is a rule.");
    let now = 0;
    let done = 0;
    let seen: TaskStatus | "unknown" = "running";
    const texts = all.map((period) => period.map(textOf));
    const upstream = {
      async getTask() {
        if (seen === "unknown") throw new Error("The service is away.");
        return running({ status: seen, createdAt, total, progress: round((100 * done) / total) }, texts, "2026-11-18");
      },
      listCallLogs: () => Promise.reject(new Error("It is not asked for.")),
    };
    const store = {
      runs: async () => new Map(),
      doubts: async () => new Map(),
      assistantsOfUnknown: async () => [],
      notes: async () => new Map(),
      saveNotes: async () => undefined,
      saveDoubts: async () => undefined,
      saveRuns: async () => undefined,
      lastEnds: async () => ({ ends: new Map(), unread: null }),
    };
    // It is active all the time, so that each look asks about it.
    const active = () => ({ taskId: "7", activeAt: instantOf(now), seenAt: instantOf(now) });
    const tasks = { page: async () => [active()] };
    const facts = createTaskFacts({
      upstream,
      store,
      tasks,
      timeZone: "UTC",
      days,
      clock: () => now,
    });
    const { find } = createTaskLooks({ facts, clock: () => now, log: silentLog });
    const lookAt = lookingBy(find, [rule]);
    const known = hoursOf(all, days);
    const raisedOf = new Set<number>();
    let wasOpen = false;
    for (const each of looks.toSorted((a, b) => a.minute - b.minute)) {
      now = BEGIN + each.minute * MINUTE_MS;
      seen = each.seen;
      if (each.isAnswered) done = Math.min(total, done + Math.ceil(total / 20));
      const left = total - done;
      const { isOpen, raised } = await lookAt(now);
      const current = known.find(({ begin, end }) => begin <= now && now < end);
      const ended = known.filter(({ end }) => end <= now).at(-1);
      const isOfPeople = seen !== "unknown" && seen !== "done" && seen !== "stop.operate";
      const title = `at ${new Date(now).toISOString()}`;
      const isJudged = isOfPeople && !current && ended?.isLast === true && now >= ended.end + GRACE_MS;
      if (raised > 0) {
        expect(isJudged && ended?.isKnown && left >= atLeast, title).toBe(true);
        expect([raised, raisedOf.has(ended?.end ?? 0)], title).toEqual([1, false]);
        raisedOf.add(ended?.end ?? 0);
      }
      const isClear = left >= atLeast + total / 50 + 1;
      const isRecent = ended !== undefined && now < ended.begin + DAY_MS;
      if (isJudged && ended?.isKnown && isClear && isRecent && !raisedOf.has(ended.end))
        expect.fail(`No alert was raised ${title}.`);
      if (seen === "unknown" && wasOpen && isOpen !== wasOpen)
        expect(now - KEPT_MS, title).toBeGreaterThanOrEqual(BEGIN);
      const isFew = left < atLeast - total / 50 - 1;
      if (seen === "stop.operate" || (seen !== "unknown" && isFew)) expect(isOpen, title).toBe(false);
      if (isOfPeople && current?.isKnown) expect(isOpen, title).toBe(false);
      if (isOpen) expect(now - Math.max(...raisedOf), title).toBeLessThan(KEPT_MS);
      wasOpen = isOpen;
    }
  });
  await fc.assert(checked, { numRuns: 400 });
});
