import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CodedError, type ErrorCode } from "../../src/errors.ts";
import { createTaskCallLogLoader, type TaskCallLogsKey } from "../../src/loaders/taskCallLogLoader.ts";
import { createSeveralTasksVerifier } from "../../src/loaders/verifySeveralTasks.ts";
import type { CallLogPage, CallLogQuery, CallLogRecord } from "../../src/upstream/upstream.ts";
import { callLog } from "../resolvers/world.ts";
import { callLogQuery } from "../upstream/service.ts";

interface Service {
  rows: CallLogRecord[];
  /** The largest page. */
  most?: number;
  /** Throws or moves the list before a response. */
  before?: (query: CallLogQuery) => void;
}

const startOfDay = (date: number) => `2026-11-${String(date).padStart(2, "0")}T00:00:00.000Z`;

/** A service that filters by the start, both ends included. */
function over({ rows, most = 100, before }: Service) {
  const asked: CallLogQuery[] = [];
  const load = async (query: CallLogQuery): Promise<CallLogPage> => {
    asked.push(query);
    before?.(query);
    const isMeant = ({ taskId, startAt }: CallLogRecord) =>
      (taskId === null || query.taskIds.includes(taskId)) &&
      (startAt === null || (startAt >= query.since && startAt <= query.until));
    const meant = rows.filter(isMeant);
    const pageSize = Math.min(query.pageSize, most);
    const start = (query.pageIndex - 1) * pageSize;
    return { rows: meant.slice(start, start + pageSize), total: meant.length, pageIndex: query.pageIndex, pageSize };
  };
  return { asked, loader: createTaskCallLogLoader(load, createSeveralTasksVerifier(), async () => {}) };
}

function key(task: number, own: Partial<TaskCallLogsKey> = {}, since = startOfDay(1)): TaskCallLogsKey {
  const filter = callLogQuery({ taskIds: [String(task)], since, until: startOfDay(28) });
  return { taskId: String(task), createdAt: since.replace("T00", "T12"), filter, first: 5, args: "same", ...own };
}

function callsOf(counts: readonly number[], own: (task: number, at: number) => Partial<CallLogRecord> = () => ({})) {
  return counts.flatMap((count, task) =>
    Array.from({ length: count }, (_, at) => {
      const place = { sessionId: `${task + 1}-${at}`, taskId: String(task + 1) };
      return callLog({ ...place, startAt: startOfDay(20).replace("00:00:00", "09:30:00"), ...own(task + 1, at) });
    }),
  );
}

const tasksOf = (count: number, since?: string) => Array.from({ length: count }, (_, at) => key(at + 1, {}, since));
const shapes = fc.constantFrom(3, 12, 60, 300);
/** Evenly filled, unevenly filled, and nearly empty tasks. */
const distributions = shapes.chain((most) =>
  fc.array(fc.integer({ min: 0, max: most }), { minLength: 1, maxLength: 25 }),
);

describe("the loader of tasks' call logs", () => {
  it("needs at most one request more than one by one for ten tasks, and far fewer on average", async () => {
    let [asked, naive] = [0, 0];
    const most = fc.constantFrom(100, 100, 50, 20);
    await fc.assert(
      fc.asyncProperty(distributions, most, async (counts, most) => {
        const service = over({ rows: callsOf(counts), most });
        const slices = await Promise.all(counts.map((_, at) => service.loader.load(key(at + 1))));
        for (const [at, slice] of slices.entries()) {
          const rows = Array.from({ length: Math.min(5, counts[at] ?? 0) }, (_, index) => `${at + 1}-${index}`);
          expect(slice.rows.map(({ sessionId }) => sessionId)).toEqual(rows);
          expect(slice).toMatchObject({ total: counts[at], offset: 0, drift: false });
        }
        expect(service.asked.length).toBeLessThanOrEqual(counts.length + Math.ceil(counts.length / 10));
        asked += service.asked.length;
        naive += counts.length;
      }),
      { numRuns: 200 },
    );
    expect(asked).toBeLessThan(0.7 * naive);
  });

  it("needs at most one request more if most tasks were created at midnight", async () => {
    const { asked, loader } = over({ rows: callsOf(Array.from({ length: 10 }, () => 30)) });
    const midnight = (task: number) => key(task, { createdAt: startOfDay(3) }, startOfDay(3));
    const slices = await Promise.all(
      [
        key(1),
        ...tasksOf(10)
          .slice(1)
          .map((_, at) => midnight(at + 2)),
      ].map(loader.load),
    );
    expect(slices.map(({ total }) => total)).toEqual(Array.from({ length: 10 }, () => 30));
    expect(asked.length).toBe(11);
  });

  it.each([
    [10, 10, 1],
    [25, 4, 3],
    [10, 25, 3],
    [10, 100, 10],
    [10, 120, 11],
    [1, 500, 1],
  ])("loads %i tasks with %i calls each in %i requests", async (tasks, calls, requests) => {
    const { asked, loader } = over({ rows: callsOf(Array.from({ length: tasks }, () => calls)) });
    await Promise.all(tasksOf(tasks).map((each) => loader.load(each)));
    expect(asked.length).toBe(requests);
  });

  it("loads the same task with the same arguments once", async () => {
    const { asked, loader } = over({ rows: callsOf([3]) });
    const [one, same] = await Promise.all([loader.load(key(1)), loader.load(key(1))]);
    expect([asked.length, same]).toEqual([1, one]);
  });
});

describe("the loader of tasks' call logs with different arguments", () => {
  it("sends a combined request for each filter", async () => {
    const { asked, loader } = over({ rows: callsOf([3, 3]) });
    const inbound = (task: number) =>
      key(task, { args: "inbound", filter: { ...key(task).filter, direction: "inbound" } });
    await Promise.all([key(1), inbound(1), key(2), inbound(2)].map((each) => loader.load(each)));
    expect(asked.map(({ taskIds, direction }) => [taskIds, direction])).toEqual([
      [["1", "2"], null],
      [["1", "2"], "inbound"],
    ]);
  });
});

describe("the loader of tasks' call logs with different ranges", () => {
  const tasks = () => [key(1, {}, startOfDay(3)), key(2, {}, startOfDay(10)), key(3, {}, startOfDay(20))];

  it("loads tasks with different ranges in one request", async () => {
    const { asked, loader } = over({ rows: callsOf([2, 2, 2]) });
    const slices = await Promise.all(tasks().map((each) => loader.load(each)));
    expect(slices.map(({ total }) => total)).toEqual([2, 2, 2]);
    expect(asked).toMatchObject([{ since: startOfDay(3), pageSize: 100 }]);
  });

  it("requests a task alone if its calls may lie outside of its own range", async () => {
    const early = (task: number, at: number) => (task === 2 && at === 0 ? { startAt: startOfDay(9) } : {});
    const { asked, loader } = over({ rows: callsOf([2, 2, 2], early) });
    const slices = await Promise.all(tasks().map((each) => loader.load(each)));
    expect(slices.map(({ total }) => total)).toEqual([2, 1, 2]);
    expect(asked.map(({ taskIds, since }) => [taskIds, since])).toEqual([
      [["1", "2", "3"], startOfDay(3)],
      [["2"], startOfDay(10)],
    ]);
  });
});

describe("the loader of tasks' call logs after an unusable combined response", () => {
  it("requests tasks one by one after rows without a task", async () => {
    const nameless = (task: number) => (task === 1 ? {} : { taskId: null });
    const { asked, loader } = over({ rows: callsOf([2, 2], nameless) });
    await Promise.all(tasksOf(2).map((each) => loader.load(each)));
    expect(asked.map(({ taskIds }) => taskIds)).toEqual([["1", "2"], ["1"], ["2"]]);
  });

  it("reads no further page after a later page with such a row", async () => {
    const nameless = (task: number, at: number) => (task === 2 && at === 59 ? { taskId: null } : {});
    const { asked, loader } = over({ rows: callsOf([60, 60, 60, 60, 60, 60, 60, 60, 60, 60], nameless) });
    await Promise.all(tasksOf(10).map((each) => loader.load(each)));
    expect(asked.filter(({ taskIds }) => taskIds.length === 10).map(({ pageIndex }) => pageIndex)).toEqual([1, 2]);
    expect(asked.length).toBe(12);
  });

  it.each<ErrorCode>(["UPSTREAM_CONTRACT", "UPSTREAM_FILTER_IGNORED", "UPSTREAM_REJECTED", "UPSTREAM_UNAVAILABLE"])(
    "requests tasks one by one after %s, so only the list with the error fails",
    async (code) => {
      const before = ({ taskIds }: CallLogQuery) => {
        if (taskIds.includes("2")) throw new CodedError(code, "No.");
      };
      const { loader } = over({ rows: callsOf([2, 2, 2]), before });
      const slices = await Promise.allSettled(tasksOf(3).map((each) => loader.load(each)));
      expect(slices).toMatchObject([{ value: { total: 2 } }, { reason: { code } }, { value: { total: 2 } }]);
    },
  );

  it.each<ErrorCode>(["UPSTREAM_TIMEOUT", "UPSTREAM_RATE_LIMITED"])(
    "sends no further request after %s",
    async (code) => {
      const before = () => {
        throw new CodedError(code, "No.");
      };
      const { asked, loader } = over({ rows: [], before });
      const slices = await Promise.allSettled(tasksOf(3).map((each) => loader.load(each)));
      expect(slices.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
      expect(asked.length).toBe(1);
    },
  );
});

it("reports drift if a call appears twice in the combined list", async () => {
  const { loader } = over({ rows: [...callsOf([2, 2]), ...callsOf([1])] });
  const slices = await Promise.all(tasksOf(2).map((each) => loader.load(each)));
  expect(slices).toMatchObject([
    { total: 3, drift: true },
    { total: 2, drift: true },
  ]);
});

describe("a combined list that moves while its pages are read", () => {
  it("loses no row when calls are added", async () => {
    const counts = fc.array(fc.integer({ min: 20, max: 60 }), { minLength: 5, maxLength: 10 });
    const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(counts, places, async (filled, inserts) => {
        const rows = callsOf(filled);
        const add = (place: number) => {
          const row = callLog({ sessionId: `new-${rows.length}`, taskId: "1", startAt: startOfDay(21) });
          rows.splice(Math.floor(place * rows.length), 0, row);
        };
        const { asked, loader } = over({ rows, before: () => inserts.splice(0, 8).forEach(add) });
        const slices = await Promise.all(filled.map((_, at) => loader.load(key(at + 1))));
        expect(asked.length).toBeLessThanOrEqual(filled.length + 1);
        const isWhole = slices.every(({ total }, at) => at === 0 || total === filled[at]);
        expect(isWhole || slices.every(({ drift }) => drift)).toBe(true);
      }),
    );
  });

  it("reads one page more than planned if calls were added at its end", async () => {
    const rows = callsOf([100, 100, 100]);
    const late = callLog({ sessionId: "late", taskId: "3", startAt: startOfDay(20) });
    const before = ({ pageIndex }: CallLogQuery) => void (pageIndex === 3 && rows.push(late));
    const { asked, loader } = over({ rows, before });
    const slices = await Promise.all(tasksOf(3).map((each) => loader.load(each)));
    expect(slices.map(({ total, drift }) => [total, drift])).toEqual([
      [100, false],
      [100, false],
      [101, false],
    ]);
    expect(asked.map(({ pageIndex }) => pageIndex)).toEqual([1, 2, 3, 4]);
  });

  it("reports drift when rows are removed", async () => {
    const rows = callsOf([60, 60, 60]);
    const { loader } = over({ rows, before: ({ pageIndex }) => void (pageIndex === 2 && rows.splice(3, 1)) });
    const slices = await Promise.all(tasksOf(3).map((each) => loader.load(each)));
    expect(slices.map(({ drift }) => drift)).toEqual([true, true, true]);
  });
});
