// Random days of a task, looked at by a rule on people that are left, against what people would say of them.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GRACE_MS, KEPT_MS, LATEST_MS, leftOf } from "../../src/alerts/peopleLeft.ts";
import { createTaskLooks } from "../../src/alerts/taskLooks.ts";
import { instantOf } from "../../src/format/instant.ts";
import type { TaskDays } from "../../src/config/variables.ts";
import { createTaskFacts } from "../../src/gateway/taskFacts.ts";
import type { TaskNote } from "../../src/store/alerts/taskLookStore.ts";
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
type Seen = TaskStatus | "unknown";
const statuses = ["running", "pending", "stop.operate", "stop.timeout", "stop.abnormal", "done"] as const;
const look = fc.record({
  minute: fc.integer({ min: 0, max: 6 * 24 * 60 }),
  /** The looks that follow shortly after it see the same. */
  further: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 4 }),
  seen: fc.oneof(
    { weight: 6, arbitrary: fc.constant<Seen>("running") },
    { weight: 2, arbitrary: fc.constantFrom<Seen>("stop.timeout", "stop.abnormal") },
    fc.constantFrom<Seen>(...statuses, "unknown"),
  ),
  isAnswered: fc.boolean(),
  /** A call has ended so many minutes before. */
  endedBefore: fc.option(fc.integer({ min: 0, max: 8 }), { freq: 3 }),
});
const world = fc.record({
  periods,
  days: fc.constantFrom<TaskDays | null>("daily", "daily", "first", null),
  /** Minutes after the begin of the first day. */
  created: fc.oneof(fc.constant(-60), fc.integer({ min: 0, max: 30 * 60 })),
  total: fc.integer({ min: 1, max: 400 }),
  atLeast: fc.integer({ min: 1, max: 50 }),
  looks: fc.array(look, { minLength: 5, maxLength: 30 }),
  round: rounding,
  isNamed: fc.boolean(),
  /** What the service says of when a stopped task changed. */
  changed: fc.constantFrom("later", "unread", "long ago"),
});

interface Hours {
  begin: number;
  end: number;
  /** The day ends with them, because the longest pause follows, or none. */
  isLast: boolean;
  /** Somebody says that the task calls on that day. */
  isKnown: boolean;
}

/** The hours of each day, as people would write them down. */
function hoursOf(all: readonly number[][], days: TaskDays | null): Hours[] {
  const [[first = 0, noon = 0] = [], [again = 0, evening = 0] = []] = all;
  const [break_, night] = [again - noon, 24 * 60 - evening + first];
  const isLast = (index: number) => {
    if (all.length === 1) return true;
    const isShort = index === 0 ? break_ < night - 120 : night < break_ - 120;
    return days === "first" ? index === 1 : !isShort;
  };
  return Array.from({ length: days === "first" ? 1 : 9 }, (_, day) => day).flatMap((day) =>
    all.map(([from = 0, to = 0], index) => {
      const at = (minutes: number) => BEGIN + day * DAY_MS + minutes * MINUTE_MS;
      const end = at(to > from ? to : to + 24 * 60);
      return { begin: at(from), end, isLast: isLast(index), isKnown: day === 0 || days !== null };
    }),
  );
}

/** What people would say of a task that runs or waits: since when nobody is called who should be. Null: it calls, or will. "unsure": nobody says. */
function endedAt(known: readonly Hours[], created: number, { now, end }: { now: number; end: number }) {
  const isSure = ({ isKnown, begin }: Hours) => isKnown || end >= begin;
  const current = known.find((hours) => hours.begin <= now && now < hours.end);
  if (current) return isSure(current) ? null : "unsure";
  const at = known.findLastIndex((hours) => hours.end <= now);
  const [last, next] = [known[at], known[at + 1]];
  if (!last) return null;
  if (!isSure(last)) return "unsure";
  if (next && (!last.isLast || created >= last.end)) return next.isKnown ? null : "unsure";
  return Math.max(last.end, created);
}

it("An alert on people that are left is open where people would say so, begins nowhere else, and what is unsure is a doubt", async () => {
  const checked = fc.asyncProperty(
    world,
    async ({ days, created, total, atLeast, looks, round, changed, ...drawn }) => {
      const { periods: all, isNamed } = drawn;
      const named = isNamed ? { tasks: ["7"] } : {};
      const [rule] = await rulesOf({ name: "left", kind: "peopleLeft", ...named, atLeast });
      if (!rule) throw new Error("There is a rule.");
      let [now, done, end] = [0, 0, -Infinity];
      let seen: Seen = "running";
      let doubts: readonly string[] = [];
      const texts = all.map((period) => period.map(textOf));
      const createdAt = BEGIN + created * MINUTE_MS;
      const upstream = {
        async getTask() {
          if (seen === "unknown") throw new Error("The service is away.");
          const counts = { total, progress: round((100 * done) / total) };
          // A service may change it with each answer, or never.
          const updatedAt = {
            later: instantOf(now + DAY_MS),
            unread: null,
            "long ago": instantOf(BEGIN - 30 * DAY_MS),
          };
          const times = { createdAt: instantOf(createdAt), updatedAt: updatedAt[changed] };
          return running({ status: seen, ...times, ...counts }, texts, "2026-11-18");
        },
        listCallLogs: () => Promise.reject(new Error("It is not asked for.")),
      };
      let notes: ReadonlyMap<string, TaskNote> = new Map();
      const store = {
        runs: async () => new Map(),
        saveRuns: async () => undefined,
        doubts: async () => new Map(),
        assistantsOfUnknown: async () => [],
        notes: async () => notes,
        saveNotes: async (some: ReadonlyMap<string, TaskNote>) => void (notes = some),
        async saveDoubts(found: ReadonlyMap<string, readonly string[]>) {
          doubts = found.get("left") ?? [];
        },
        lastEnds: async (_: unknown, since: string) => ({
          ends: new Map(end >= Date.parse(since) ? [["7", instantOf(end)]] : []),
          unread: null,
        }),
      };
      // It is active all the time, so that each look asks about it.
      const active = () => ({ taskId: "7", activeAt: instantOf(now), seenAt: instantOf(now) });
      const tasks = { page: async () => [active()] };
      const facts = createTaskFacts({ upstream, store, tasks, timeZone: "UTC", days, clock: () => now });
      const { find } = createTaskLooks({ facts, clock: () => now, log: silentLog });
      const lookAt = lookingBy(find, [rule]);
      const known = hoursOf(all, days);
      let [newest, stopped, open] = [-Infinity, null as number | null, null as { isStop: boolean } | null];
      const each = looks
        .flatMap(({ further, ...first }) => [
          first,
          ...further.map((later) => ({ ...first, minute: first.minute + later })),
        ])
        .toSorted((a, b) => a.minute - b.minute);
      let wentOn = -Infinity;
      for (const { minute, seen: status, isAnswered, endedBefore } of each) {
        const since = Math.max(wentOn + 1, changed === "long ago" ? -Infinity : BEGIN + minute * MINUTE_MS);
        if (status === "running" || status === "pending" || status === "stop.operate")
          wentOn = BEGIN + minute * MINUTE_MS;
        now = BEGIN + minute * MINUTE_MS;
        seen = status;
        if (isAnswered) done = Math.min(total, done + Math.ceil(total / 20));
        if (endedBefore !== null) end = Math.max(end, now - endedBefore * MINUTE_MS);
        const title = `at ${instantOf(now)}`;
        const { isOpen, raised } = await lookAt(now);
        const left = total - done;
        if (seen === "unknown") {
          expect([raised, doubts.length], title).toEqual([0, 1]);
          if (isOpen !== (open !== null)) expect(now - newest, title).toBeGreaterThanOrEqual(KEPT_MS);
          if (!isOpen) open = null;
          continue;
        }
        const isStop = seen === "stop.timeout" || seen === "stop.abnormal";
        if (seen !== "done") stopped = isStop ? (stopped ?? since) : null;
        const isWaiting = seen === "running" || seen === "pending";
        const of = isStop ? stopped : isWaiting ? endedAt(known, createdAt, { now, end }) : null;
        const isFew = left < atLeast - total / 50 - 1;
        if (of === "unsure" && left >= atLeast) expect(doubts, title).not.toEqual([]);
        if (of === null && seen !== "done") expect(doubts, title).toEqual([]);
        const isDue = typeof of === "number" && now >= Math.min(Math.max(of, end) + GRACE_MS, of + LATEST_MS);
        const isNew = isDue && of > newest && now < of + KEPT_MS;
        if (raised > 0) expect([raised, isNew, left >= atLeast], title).toEqual([1, true, true]);
        if (isNew && left >= atLeast + total / 50 + 1) expect(raised, title).toBe(1);
        if (raised > 0 && isNew) newest = of;
        if (seen === "stop.operate" || isFew) expect(isOpen, title).toBe(false);
        const isCalling = known.some((hours) => hours.begin <= now && now < hours.end && of === null);
        if (isWaiting && isCalling) expect(isOpen, title).toBe(false);
        if (isWaiting && open?.isStop && raised === 0) expect(isOpen, title).toBe(false);
        if (isOpen) expect(now - newest, title).toBeLessThan(KEPT_MS);
        open = raised > 0 ? { isStop } : isOpen ? open : null;
      }
    },
  );
  await fc.assert(checked, { numRuns: 400 });
});
