import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startBoth } from "../support/startBoth.ts";

const TASKS = Array.from({ length: 12 }, (_, at) => 800_001 + at);
/** Tasks with calls of their own, each created a day after the one before. */
const callsOf = (task: number, count: number, own: object = {}) =>
  Array.from({ length: count }, (_, at) => ({
    sessionId: `${task}-${at}`,
    taskId: task,
    startAt: `2026-02-01 09:${String(at % 60).padStart(2, "0")}:00`,
    direction: "outbound",
    ...own,
  }));

// Without cached responses, so that the test counts the planned requests.
const { sandbox, gateway } = await startBoth({ UPSTREAM_CACHE_MS: "0" });
beforeAll(async () => {
  const tasks = TASKS.map((id, at) => ({ id, createdAt: `2026-01-${10 + at} 08:00:00` }));
  await sandbox.control("POST", "seed", { tasks, calls: TASKS.slice(0, 10).flatMap((task) => callsOf(task, 7)) });
  // These requests make the checks that a process makes once: of filters, and of the end of a list.
  await gateway.ask(
    `{ task(taskId: "${TASKS[0]}") { callLogs(first: 5, filter: { direction: OUTBOUND }) { totalCount } } }`,
  );
});
beforeEach(() => sandbox.forget());

interface List {
  totalCount: number;
  driftDetected: boolean;
  nodes: { sessionId: string; taskId: string | null }[];
  pageInfo: { endCursor: string | null };
}
interface Tasks {
  tasksByIds: { taskId: string; callLogs: List | null; inbound?: List }[];
}

const LIST = "totalCount driftDetected nodes { sessionId taskId } pageInfo { endCursor }";

const ask = (taskIds: readonly number[], more = "") =>
  gateway.ask<Tasks>(
    `query($taskIds: [ID!]!) { tasksByIds(taskIds: $taskIds) { taskId callLogs(first: 5) { ${LIST} } ${more} } }`,
    { taskIds: taskIds.map(String) },
  );
const lists = async () => (await sandbox.requests()).filter(({ path }) => path === "/openapi/calllog");

describe("the call lists of many tasks", () => {
  it("share one request for ten tasks with different ranges", async () => {
    const { data, errors } = await ask(TASKS.slice(0, 10));
    expect(errors).toBeUndefined();
    for (const { taskId, callLogs } of data?.tasksByIds ?? []) {
      expect(callLogs?.totalCount).toBe(7);
      expect(callLogs?.nodes.map((call) => call.taskId)).toEqual(Array.from({ length: 5 }, () => taskId));
    }
    expect(await lists()).toHaveLength(1);
  });

  it("take two requests for twelve tasks, and others for other arguments", async () => {
    const { data } = await ask(TASKS, "inbound: callLogs(first: 5, filter: { direction: INBOUND }) { totalCount }");
    expect(data?.tasksByIds.map(({ callLogs, inbound }) => [callLogs?.totalCount, inbound?.totalCount])).toEqual(
      TASKS.map((_, at) => [at < 10 ? 7 : 0, 0]),
    );
    expect(await lists()).toHaveLength(4);
  });

  it("have cursors that continue in their own task's list", async () => {
    const { data } = await ask(TASKS.slice(0, 3));
    const task = data?.tasksByIds[1];
    const after = task?.callLogs?.pageInfo.endCursor;
    const next = await gateway.ask<{ task: { callLogs: List } }>(
      `query($id: ID!, $after: String) { task(taskId: $id) { callLogs(first: 5, after: $after) { ${LIST} } } }`,
      { id: task?.taskId, after },
    );
    expect(next.data?.task.callLogs.nodes.map(({ sessionId }) => sessionId)).toEqual([
      `${task?.taskId}-1`,
      `${task?.taskId}-0`,
    ]);
  });
});

describe("a list that the service answers wrongly", () => {
  it("keeps a row without assistants and names what is missing", async () => {
    await sandbox.control("POST", "seed", { calls: callsOf(TASKS[10] ?? 0, 3, { omit: ["assistant"] }) });
    const { data, errors } = await gateway.ask(
      `{ task(taskId: "${TASKS[10]}") { callLogs { totalCount nodes { assistants { assistantId } unread { field text } } } } }`,
    );
    expect(errors).toBeUndefined();
    const node = { assistants: [], unread: [{ field: "assistants", text: "<missing>" }] };
    expect(data).toEqual({ task: { callLogs: { totalCount: 3, nodes: [node, node, node] } } });
  });

  it("is requested by task if rows do not name their task", async () => {
    await sandbox.control("POST", "seed", { calls: callsOf(TASKS[11] ?? 0, 3, { omit: ["taskId"] }) });
    const { data, errors } = await ask([TASKS[0] ?? 0, TASKS[11] ?? 0]);
    expect(errors).toBeUndefined();
    expect(data?.tasksByIds.map(({ callLogs }) => callLogs?.totalCount)).toEqual([7, 3]);
    expect(await lists()).toHaveLength(3);
  });

  it("fails if the service ignores the filter by task", async () => {
    const call = { sessionId: "other", taskId: 5, direction: "outbound", callee: "13900000001", assistant: [] };
    const body = JSON.stringify({ items: [call], total: 1, pageIndex: 1, pageSize: 5 });
    const fault = { kind: "replace", match: { path: "/openapi/calllog" }, body };
    const { id } = await sandbox.control<{ id: string }>("POST", "faults", fault);
    try {
      const { data, errors } = await gateway.ask(`{ callLogs(filter: { taskIds: ["${TASKS[0]}"] }) { totalCount } }`);
      expect(data).toEqual({ callLogs: null });
      expect(errors?.[0]?.extensions).toMatchObject({ code: "UPSTREAM_FILTER_IGNORED", retryable: false });
      expect(JSON.stringify(errors)).not.toContain("139");
    } finally {
      await sandbox.control("DELETE", `faults/${id}`);
    }
  });
});

describe("an ignored filter that no row contradicts", () => {
  it.each([
    ["kind", "kind: PHONE", "description"],
    ["phone", 'phone: "13800010001"', "phone"],
  ])("makes a list filtered by %s fail", async (name, filter, parameter) => {
    await sandbox.control("PATCH", "quirks", { ignoredParameters: [parameter] });
    try {
      const whole = `taskIds: [${TASKS[0]}], since: "2026-02-01T00:00:00+08:00", until: "2026-02-01T23:59:59+08:00"`;
      const { data, errors } = await gateway.ask(
        `{ callLogs(first: 1, filter: { ${filter}, ${whole} }) { totalCount } }`,
      );
      expect(data).toEqual({ callLogs: null });
      expect(errors?.[0]).toMatchObject({
        message: expect.stringContaining(name),
        extensions: { code: "UPSTREAM_FILTER_IGNORED" },
      });
    } finally {
      await sandbox.control("DELETE", "quirks");
    }
  });
});

describe("a cursor follows a list that moves", () => {
  const FILTER = `since: "2026-02-01T00:00:00+08:00", until: "2026-02-01T23:59:59+08:00", taskIds: [${TASKS.slice(0, 10).join()}]`;
  const page = async (after: string | null) => {
    const query = `query($after: String) { callLogs(first: 10, after: $after, filter: { ${FILTER} }) { ${LIST} } }`;
    const { data } = await gateway.ask<{ callLogs: List }>(query, { after });
    if (!data) throw new Error("no list");
    return data.callLogs;
  };

  it("a cursor follows a list to which new calls come, and reports drift if it cannot", async () => {
    const first = await page(null);
    const seen = first.nodes.map(({ sessionId }) => sessionId);
    await sandbox.control("POST", "seed", {
      calls: [1, 2, 3].map((at) => ({ sessionId: `new-${at}`, taskId: TASKS[0], startAt: `2026-02-01 20:0${at}:00` })),
    });
    const second = await page(first.pageInfo.endCursor);
    expect(second.driftDetected).toBe(false);
    expect(second.nodes).toHaveLength(10);
    for (const { sessionId } of second.nodes) expect([...seen, "new-1", "new-2", "new-3"]).not.toContain(sessionId);

    // The row of the cursor leaves the range.
    const last = second.nodes.at(-1)?.sessionId;
    await sandbox.control("POST", "seed", {
      calls: [{ sessionId: last, taskId: TASKS[0], startAt: "2026-02-05 09:00:00" }],
    });
    expect(await page(second.pageInfo.endCursor)).toMatchObject({ driftDetected: true });
  });
});
