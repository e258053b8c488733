import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import { createTaskCallLogLoader } from "../../src/loaders/taskCallLogLoader.ts";
import { createSeveralTasksVerifier } from "../../src/loaders/verifySeveralTasks.ts";
import type { CallLogQuery } from "../../src/upstream/upstream.ts";
import { callLog } from "../resolvers/world.ts";
import { callLogQuery } from "../upstream/service.ts";

const DAY = 86_400_000;
const FIRST = Date.parse("2026-11-01T00:00:00.000Z");
const END_OF_LAST = instantOf(FIRST + 10 * DAY - 1000);

/** The service's undocumented choices: the time that the range filters by, and whether its ends are included. */
const rules = fc.record({
  field: fc.constantFrom("create" as const, "start" as const, "end" as const),
  ends: fc.constantFrom("both" as const, "begin" as const, "none" as const),
});
/** Seconds after the task's creation when a call is planned, starts and ends; often 0, because midnight is the hard case. */
const gap = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2 * 86_400 }));
const call = fc.record({ planned: gap, waits: gap, lasts: fc.option(gap), showsTimes: fc.boolean() });
const task = fc.record({
  createdAt: fc.oneof(
    fc.integer({ min: 0, max: 8 }).map((day) => day * DAY),
    fc.integer({ min: 0, max: 8 * DAY }),
  ),
  calls: fc.array(call, { maxLength: 6 }),
});

function serviceOf(tasks: readonly (typeof task extends fc.Arbitrary<infer T> ? T : never)[], rule: Rule) {
  const calls = tasks.flatMap(({ createdAt, calls }, at) =>
    calls.map(({ planned, waits, lasts, showsTimes }, index) => {
      const create = FIRST + createdAt + planned * 1000;
      const start = create + waits * 1000;
      const end = lasts === null ? null : start + lasts * 1000;
      const shown = showsTimes ? { startAt: instantOf(start), endAt: end === null ? null : instantOf(end) } : {};
      return {
        times: { create, start, end },
        row: callLog({ sessionId: `${at}-${index}`, taskId: `${at + 1}`, ...shown }),
      };
    }),
  );
  return async (query: CallLogQuery) => {
    const [since, until] = [Date.parse(query.since), Date.parse(query.until)];
    const isIn = (time: number | null) => {
      const second = time === null ? Number.NaN : Math.floor(time / 1000) * 1000;
      const isBehind = rule.ends === "none" ? second > since : second >= since;
      return isBehind && (rule.ends === "both" ? second <= until : second < until);
    };
    const meant = calls.filter(({ times, row }) => isIn(times[rule.field]) && query.taskIds.includes(row.taskId ?? ""));
    const start = (query.pageIndex - 1) * query.pageSize;
    const rows = meant.slice(start, start + query.pageSize).map(({ row }) => row);
    return { rows, total: meant.length, pageIndex: query.pageIndex, pageSize: query.pageSize };
  };
}
type Rule = typeof rules extends fc.Arbitrary<infer T> ? T : never;

describe("combined lists of tasks with different ranges", () => {
  it("equal the single lists, whichever time the service filters by, with inclusive or exclusive ends", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(task, { minLength: 2, maxLength: 10 }), rules, async (tasks, rule) => {
        const load = serviceOf(tasks, rule);
        const loader = createTaskCallLogLoader(load, createSeveralTasksVerifier(), async () => {});
        const keys = tasks.map(({ createdAt }, at) => {
          const since = instantOf(FIRST + Math.floor(createdAt / DAY) * DAY);
          const filter = callLogQuery({ taskIds: [`${at + 1}`], since, until: END_OF_LAST });
          return { taskId: `${at + 1}`, createdAt: instantOf(FIRST + createdAt), filter, first: 100, args: "" };
        });
        const together = await Promise.all(keys.map((key) => loader.load(key)));
        const alone = await Promise.all(keys.map(({ filter }) => load({ ...filter, pageIndex: 1, pageSize: 100 })));
        expect(together.map(({ rows, total }) => ({ rows, total }))).toEqual(
          alone.map(({ rows, total }) => ({ rows, total })),
        );
      }),
      { numRuns: 500 },
    );
  });
});
