import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { graphql } from "../generated/gql.ts";
import type { CallsWithTasksQuery } from "../generated/graphql.ts";
import { startBoth } from "../support/startBoth.ts";

const CallsWithTasks = graphql(`
  query CallsWithTasks($filter: CallLogFilter, $first: Int! = 50, $after: String) {
    callLogs(first: $first, after: $after, filter: $filter) {
      totalCount
      since
      until
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
      edges {
        cursor
      }
      nodes {
        sessionId
        taskId
        startAt
        task {
          taskId
          name
        }
      }
    }
  }
`);

/** Days without calls of the sandbox's own history. */
const DAY = { since: "2026-01-05T00:00:00+08:00", until: "2026-01-05T23:59:59+08:00" };
const DAY_BEFORE = { since: "2026-01-04T00:00:00+08:00", until: "2026-01-04T23:59:59+08:00" };

const { sandbox, gateway } = await startBoth();
beforeAll(async () => {
  const tasks = [1, 2, 3, 4, 5, 6].map((id) => ({
    id: 900_000 + id,
    name: `Task ${id}`,
    createdAt: "2026-01-05 08:00:00",
  }));
  const calls = Array.from({ length: 50 }, (_, index) => ({
    sessionId: `call-${index}`,
    taskId: 900_001 + (index % 6),
    startAt: `2026-01-05 09:${String(index).padStart(2, "0")}:00`,
    direction: "outbound",
    callee: `+8613800${String(10_000 + index)}`,
  }));
  // A list with a larger total that is not round shows that the service does not round such totals.
  const callsBefore = Array.from({ length: 53 }, (_, index) => ({
    sessionId: `before-${index}`,
    startAt: `2026-01-04 09:${String(index).padStart(2, "0")}:00`,
    direction: "inbound",
  }));
  await sandbox.control("POST", "seed", { tasks, calls: [...calls, ...callsBefore] });
  // These requests make the checks that a process makes once: of filters, and of the end of a list.
  await gateway.ask(CallsWithTasks.toString(), { filter: DAY_BEFORE, first: 20 });
  await gateway.ask(CallsWithTasks.toString(), { filter: DAY, first: 20 });
  await gateway.ask(CallsWithTasks.toString(), { filter: { ...DAY, taskIds: ["900001"] }, first: 5 });
});
beforeEach(() => sandbox.forget());

async function askedOf(): Promise<string[]> {
  return (await sandbox.requests()).map(({ method, path }) => `${method} ${path}`).sort();
}

describe("a query sends the fewest requests to the service", () => {
  it("sends one request for a list of 50 calls and one for each of their 6 tasks", async () => {
    const { data, errors } = await gateway.ask<CallsWithTasksQuery>(CallsWithTasks.toString(), { filter: DAY });
    expect(errors).toBeUndefined();
    expect(data?.callLogs?.nodes).toHaveLength(50);
    for (const { taskId, task } of data?.callLogs?.nodes ?? []) expect(task?.taskId).toBe(taskId);
    expect(await askedOf()).toEqual([
      "GET /openapi/calllog",
      ...[1, 2, 3, 4, 5, 6].map((id) => `GET /openapi/tasks/90000${id}`),
    ]);
  });

  it("sends one request for fields with equal arguments, and one more for other arguments", async () => {
    const { data } = await gateway.ask<Record<string, { callLogs: { totalCount: number } }>>(`{
      task(taskId: "900001") {
        callLogs(first: 2) { totalCount }
        again: callLogs(first: 2) { totalCount }
      }
      other: task(taskId: "900001") { callLogs(first: 2, filter: { direction: INBOUND }) { totalCount } }
    }`);
    expect(data).toEqual({
      task: { callLogs: { totalCount: 9 }, again: { totalCount: 9 } },
      other: { callLogs: { totalCount: 0 } },
    });
    expect(await askedOf()).toEqual(["GET /openapi/calllog", "GET /openapi/calllog", "GET /openapi/tasks/900001"]);
  });

  it("sends one request for each of tasksByIds, and keeps their order with null for unknown ones", async () => {
    const { data, errors } = await gateway.ask(`{
      tasksByIds(taskIds: ["900003", "424242424242", "900001", "900003"]) { taskId }
    }`);
    expect(errors).toBeUndefined();
    expect(data).toEqual({ tasksByIds: [{ taskId: "900003" }, null, { taskId: "900001" }, { taskId: "900003" }] });
    expect(await askedOf()).toHaveLength(3);
  });

  it("sends no request for an empty list of ids", async () => {
    const { data } = await gateway.ask(`{
      a: callLogs(filter: { taskIds: [] }) { totalCount nodes { sessionId } }
      b: callLogs(filter: { assistantIds: [] }) { totalCount }
      c: callEndedEvents(filter: { taskIds: [] }) { nodes { sessionId } }
      d: tasksByIds(taskIds: []) { taskId }
    }`);
    expect(data).toEqual({
      a: { totalCount: 0, nodes: [] },
      b: { totalCount: 0 },
      c: { nodes: [] },
      d: [],
    });
    expect(await askedOf()).toEqual([]);
  });
});

async function readPage(first: number, after: string | null) {
  const { data } = await gateway.ask<CallsWithTasksQuery>(CallsWithTasks.toString(), { filter: DAY, first, after });
  if (!data?.callLogs) throw new Error("no list");
  return data.callLogs;
}

describe("a list is read without a lost or repeated row", () => {
  it.each([1, 7, 10, 33])("reads a list in pages of %i without a lost or repeated row", async (first) => {
    const seen: (string | null)[] = [];
    let after: string | null = null;
    for (;;) {
      const list = await readPage(first, after);
      expect(list.totalCount).toBe(50);
      expect(list.pageInfo.hasPreviousPage).toBe(after !== null);
      seen.push(...list.nodes.map(({ sessionId }) => sessionId));
      if (!list.pageInfo.hasNextPage) break;
      after = list.pageInfo.endCursor;
    }
    expect(seen).toHaveLength(50);
    expect(new Set(seen).size).toBe(50);
  });

  it("repeats no row of a list if the service gives smaller pages than requested", async () => {
    await sandbox.control("PATCH", "quirks", { maxPageSize: 8 });
    try {
      const sessions = (await readPage(20, null)).nodes.map(({ sessionId }) => sessionId);
      expect(new Set(sessions).size).toBe(20);
    } finally {
      await sandbox.control("DELETE", "quirks");
    }
  });
});

describe("both ends of a range are always sent, on the service's wall clock", () => {
  const rangeSent = async () => {
    const [list] = (await sandbox.requests()).filter(({ path }) => path === "/openapi/calllog");
    const query = new URLSearchParams(list?.query);
    return [query.get("startTime"), query.get("endTime")];
  };

  const todayThere = () => new Intl.DateTimeFormat("sv", { timeZone: "Asia/Shanghai" }).format();
  /** Today at the start or at the end of the test, which may pass midnight. */
  const nowOrBefore = (before: string, text: (day: string) => unknown) => [text(before), text(todayThere())];

  it("reads today by default", async () => {
    const before = todayThere();
    await gateway.ask("{ callLogs { totalCount } }");
    const sent = await rangeSent();
    expect(nowOrBefore(before, (day) => [`${day} 00:00:00`, `${day} 23:59:59`])).toContainEqual(sent);
  });

  it("reads the day of until where only until is given", async () => {
    await gateway.ask(`{ callLogs(filter: { until: "2026-01-05T12:30:15.999+08:00" }) { totalCount } }`);
    expect(await rangeSent()).toEqual(["2026-01-05 00:00:00", "2026-01-05 12:30:15"]);
  });

  it("reads a task's whole life", async () => {
    const before = todayThere();
    await gateway.ask(`{ task(taskId: "900001") { callLogs { totalCount } } }`);
    const sent = await rangeSent();
    expect(nowOrBefore(before, (day) => ["2026-01-05 00:00:00", `${day} 23:59:59`])).toContainEqual(sent);
  });
});

describe("node(id)", () => {
  it("finds a task by the id it shows", async () => {
    const { data } = await gateway.ask<{ task: { id: string } }>(`{ task(taskId: "900002") { id } }`);
    const { data: found } = await gateway.ask(`query($id: ID!) { node(id: $id) { id ... on Task { name } } }`, {
      id: data?.task.id,
    });
    expect(found).toEqual({ node: { id: data?.task.id, name: "Task 2" } });
  });
});
