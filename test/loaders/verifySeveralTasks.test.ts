import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callLogQuery } from "../upstream/service.ts";
import { firstRows, oddService, rowsOf } from "./oddService.ts";

const ids = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1));
/** The given number of calls for each task, task by task. */
const callsOf = (counts: readonly number[]) =>
  counts.flatMap((count, at) => rowsOf(count, (index) => ({ sessionId: `${at}-${index}`, taskId: String(at + 1) })));
const counts = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 2, maxLength: 10 });
/** The tasks of each request. */
const requests = fc.array(fc.subarray(ids(10), { minLength: 1 }), { maxLength: 5 });
/** Which of several tasks a service uses. */
const takes = {
  "the first": (taskIds: readonly string[]) => taskIds.slice(0, 1),
  "the last": (taskIds: readonly string[]) => taskIds.slice(-1),
  "the first three": (taskIds: readonly string[]) => taskIds.slice(0, 3),
  "the last five": (taskIds: readonly string[]) => taskIds.slice(-5),
  all: (taskIds: readonly string[]) => taskIds,
};

function serviceThatTakes(taken: keyof typeof takes, filled: readonly number[]) {
  return oddService({
    rows: callsOf(filled),
    reads: (query) => ({ ...query, taskIds: takes[taken](query.taskIds) }),
  });
}

/** The totals of the tasks' lists, loaded together as tasksByIds loads them. */
async function totals({ loaders }: ReturnType<typeof serviceThatTakes>, taskIds: readonly string[], first = 10) {
  const { taskCallLogs } = loaders();
  const { pageIndex: _index, pageSize: _size, ...filter } = callLogQuery();
  const slices = await Promise.all(
    taskIds.map((taskId) => {
      const own = { ...filter, taskIds: [taskId] };
      return taskCallLogs.load({ taskId, createdAt: filter.since, filter: own, first, args: "" });
    }),
  );
  return slices.map(({ total }) => total);
}

describe.each(Object.keys(takes) as (keyof typeof takes)[])("a service that takes %s of several tasks", (taken) => {
  it("gets the lists of many tasks right, request after request", async () => {
    await fc.assert(
      fc.asyncProperty(counts, requests, async (filled, more) => {
        const service = serviceThatTakes(taken, filled);
        for (const asked of [ids(filled.length), ...more]) {
          const before = service.asked.length;
          expect(await totals(service, asked)).toEqual(asked.map((taskId) => filled[Number(taskId) - 1] ?? 0));
          expect(service.asked.length - before).toBeLessThanOrEqual(asked.length + 1);
        }
      }),
    );
  });

  it("leads to the right list of several tasks or to UPSTREAM_FILTER_IGNORED", async () => {
    await fc.assert(
      fc.asyncProperty(counts, requests, async (filled, more) => {
        const service = serviceThatTakes(taken, filled);
        for (const taskIds of [ids(filled.length), ...more]) {
          const list = await firstRows(service.loaders(), { taskIds }, 5);
          if (typeof list === "string") {
            expect([taken === "all", list]).toEqual([false, "UPSTREAM_FILTER_IGNORED"]);
            continue;
          }
          const meant = callsOf(filled).filter(({ taskId }) => taskIds.includes(taskId ?? ""));
          expect([list.rows, list.total]).toEqual([meant.slice(0, 5), meant.length]);
        }
      }),
    );
  });
});

describe("the check of several tasks", () => {
  it("costs no request if a response shows all of them", async () => {
    const service = serviceThatTakes("all", [3, 3, 3]);
    expect(await totals(service, ids(3))).toEqual([3, 3, 3]);
    await firstRows(service.loaders(), { taskIds: ids(3) });
    expect(service.asked.length).toBe(2);
  });

  it("costs one request for each task until that many are known to be accepted", async () => {
    const service = serviceThatTakes("all", [30, 3]);
    await firstRows(service.loaders(), { taskIds: ids(2) });
    const single = () => service.asked.filter(({ taskIds }) => taskIds.length === 1).length;
    expect(single()).toBe(2);
    await firstRows(service.loaders(), { taskIds: ids(2) }, 11);
    expect(single()).toBe(2);
  });

  it("costs at most three requests for lists of many tasks if the service never accepts several", async () => {
    const service = serviceThatTakes("the first", [1, 1, 1]);
    for (let count = 0; count < 10; count += 1) await totals(service, ids(3));
    expect(service.asked.filter(({ taskIds }) => taskIds.length > 1).length).toBeLessThanOrEqual(3);
  });
});

it("takes no call that is added between the combined and the single lists for a contradiction", async () => {
  const rows = callsOf([20, 2]);
  const service = oddService({
    rows,
    tells(page) {
      if (service.asked.length === 1) rows.push(...rowsOf(1, () => ({ sessionId: "new", taskId: "2" })));
      return page;
    },
  });
  expect(await firstRows(service.loaders(), { taskIds: ids(2) })).toMatchObject({ total: 23 });
});
