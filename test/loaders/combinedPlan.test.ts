import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commonRange, nextStep, splitRows, type TaskList } from "../../src/loaders/combinedPlan.ts";
import type { CallLogRecord } from "../../src/upstream/upstream.ts";
import { callLog } from "../resolvers/world.ts";

const day = (date: number, time = "00:00:00") => `2026-11-${String(date).padStart(2, "0")}T${time}.000Z`;
const list = (taskId: number, since = day(1), until = day(20)): TaskList => {
  // At noon of its first day.
  return { taskId: String(taskId), since, until, createdAt: since.replace("T00", "T12") };
};
const lists = (count: number) => Array.from({ length: count }, (_, at) => list(at + 1));
const rowsOf = (count: number, own: Partial<CallLogRecord> = {}) =>
  Array.from({ length: count }, () => callLog({ taskId: "1", ...own }));
const page = (given: number, total: number, pageSize = 100) => ({
  rows: rowsOf(given),
  total,
  pageIndex: 1,
  pageSize,
});

describe("nextStep", () => {
  it("costs at most one request more than one by one, for any list, page size and number of tasks", () => {
    for (let tasks = 2; tasks <= 10; tasks++) {
      for (const size of [1, 7, 50, 99, 100]) {
        for (let total = 0; total <= 1100; total += total < 120 ? 1 : 7) {
          const given = Math.min(size, total);
          const step = nextStep(page(given, total, size), lists(tasks));
          const left = Math.ceil(total / size) - 1;
          const cheaper = left < tasks ? { pageSize: size } : "one by one";
          expect(step).toEqual(total <= size ? "split" : cheaper);
          const requests = 1 + (step === "split" ? 0 : step === "one by one" ? tasks : left);
          expect(requests).toBeLessThanOrEqual(tasks + 1);
        }
      }
    }
  });

  it.each<[string, ReturnType<typeof page>, unknown]>([
    ["a page that hides its smaller size", page(50, 80), { pageSize: 50 }],
    ["a page other than the requested one", { ...page(10, 10), pageIndex: 2 }, "one by one"],
    ["more rows than the total", page(11, 10), "one by one"],
    ["no rows with a positive total", page(0, 10), "one by one"],
    ["rows without a task", { ...page(0, 150), rows: rowsOf(100, { taskId: null }) }, "one by one"],
  ])("decides after %s", (_, first, step) => {
    expect(nextStep(first, lists(2))).toEqual(step);
  });

  it("counts lists that cannot be split off as one request each", () => {
    const [own, other] = [list(1, day(5)), list(2, day(1))];
    const first = { ...page(0, 150), rows: rowsOf(100, { startAt: day(5) }) };
    expect(nextStep(first, [own, other])).toBe("one by one");
    expect(nextStep(first, [own, other, list(3)])).toEqual({ pageSize: 100 });
  });

  it("counts a list as uncertain before it has rows, if its task makes it so", () => {
    const [other, midnight] = [list(1), { ...list(2, day(5)), createdAt: day(5) }];
    expect(nextStep(page(100, 150), [other, list(2, day(5))])).toEqual({ pageSize: 100 });
    expect(nextStep(page(100, 150), [other, midnight])).toBe("one by one");
  });
});

describe("commonRange", () => {
  it("reaches from the earliest start to the latest end", () => {
    expect(commonRange([list(1, day(3), day(9)), list(2, day(2), day(8))])).toEqual({ since: day(2), until: day(9) });
  });
});

describe("splitRows", () => {
  const [early, late] = [list(1, day(2)), list(2, day(5))];
  const cut = (row: Partial<CallLogRecord>) => splitRows([early, late], [callLog({ taskId: "2", ...row })])[1];

  it.each<[string, Partial<CallLogRecord>]>([
    ["is within its range", { startAt: day(5, "00:00:01"), endAt: day(6) }],
    ["has not ended", { startAt: day(6) }],
    ["shows only its end", { endAt: day(6) }],
  ])("splits off a list with a row that %s", (_, row) => {
    expect(cut(row)).toHaveLength(1);
  });

  it.each<[string, Partial<CallLogRecord>]>([
    ["is before its range", { startAt: day(4), endAt: day(4, "00:01:00") }],
    ["starts before its range and ends within", { startAt: day(4, "23:59:59"), endAt: day(5, "00:01:00") }],
    ["starts exactly with its range", { startAt: day(5) }],
    ["starts in the first second of its range", { startAt: day(5).replace(".000", ".999") }],
    ["shows no time", {}],
  ])("does not split off a list with a row that %s", (_, row) => {
    expect(cut(row)).toBeNull();
  });

  it("does not split off a list whose task was created in the first second of the day, or whose range ends earlier", () => {
    const row = callLog({ taskId: "2", startAt: day(6) });
    expect(splitRows([early, { ...late, createdAt: late.since }], [row])[1]).toBeNull();
    expect(splitRows([early, { ...late, until: day(19) }], [row])[1]).toBeNull();
  });

  it("splits off a list whose range is the common one, whatever its rows show", () => {
    const [own] = splitRows([early, late], [callLog({ taskId: "1" })]);
    expect(own).toHaveLength(1);
  });

  it.each([null, "9"])("splits off no list if the task of a row is %j", (taskId) => {
    expect(splitRows(lists(2), [callLog({ taskId: "1" }), callLog({ taskId })])).toEqual([null, null]);
  });

  it("assigns each row once, by task, in the service's order", () => {
    const tasks = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 60 });
    fc.assert(
      fc.property(tasks, (owners) => {
        const rows = owners.map((owner, at) => callLog({ taskId: String(owner), sessionId: `s-${at}` }));
        const parts = splitRows(lists(4), rows);
        for (const [at, part] of parts.entries()) {
          expect(part).toEqual(rows.filter(({ taskId }) => taskId === String(at + 1)));
        }
      }),
    );
  });
});
