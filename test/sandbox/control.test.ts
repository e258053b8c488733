import { describe, expect, it } from "vitest";
import { until } from "../support/until.ts";
import { at, openReceiver, openSandbox, taskBody, TOKEN } from "./support.ts";

const headers = { authorization: `Bearer ${TOKEN}` };

describe("the control API over HTTP", () => {
  it("returns the state, and refuses unknown paths", async () => {
    await using service = await openSandbox({ now: () => at("2026-11-20 12:00:00") });
    expect((await service.call("/sandbox")).body).toEqual(service.sandbox.control.state());
    expect((await service.call("/sandbox")).body).toMatchObject({ now: "2026-11-20 12:00:00", tasks: 0, calls: 0 });
    expect((await service.call("/sandbox/nothing")).status).toBe(404);
    expect((await service.call("/sandbox/calls/1")).status).toBe(404);
    expect((await service.call("/sandbox/calls")).status).toBe(405);
    expect((await service.call("/sandbox/calls", { method: "POST", headers, body: "{" })).status).toBe(400);
    expect((await service.post("/sandbox/calls", { calleee: "1" })).status).toBe(400);
    expect((await service.post("/sandbox/calls", { assistant: [{ id: 1 }] })).status).toBe(400);
  });

  it("adds fault rules, lists them with their remaining times, and removes one or all", async () => {
    await using service = await openSandbox();
    const added = await service.post("/sandbox/faults", { kind: "status", status: 500, times: 3 });
    await service.post("/sandbox/faults", { kind: "latency", ms: 1 });
    await service.call("/openapi/calllog");
    const { id } = added.body as { id: string };
    const rules = (await service.call("/sandbox/faults")).body as { id: string }[];
    expect(rules).toMatchObject([{ id, fault: { kind: "status", times: 2 } }, { fault: { kind: "latency" } }]);
    await service.call(`/sandbox/faults/${id}`, { method: "DELETE", headers });
    expect((await service.call("/sandbox/faults")).body).toHaveLength(1);
    await service.call("/sandbox/faults", { method: "DELETE", headers });
    expect((await service.call("/sandbox/faults")).body).toEqual([]);
  });

  it("sets the webhook and its faults, and lists the attempts", async () => {
    await using receiver = await openReceiver();
    await using service = await openSandbox();
    const webhook = JSON.stringify({ url: receiver.url, authorization: "set later" });
    expect((await service.call("/sandbox/webhook", { method: "PUT", headers, body: webhook })).status).toBe(200);
    await service.call("/sandbox/webhook-faults", { method: "PATCH", headers, body: '{"copies":2}' });
    const made = await service.post("/sandbox/calls", {});
    await until(() => receiver.received.length === 2);
    expect(receiver.received[0]?.authorization).toBe("set later");
    const { sessionId } = made.body as { sessionId: string };
    const tries = await until(async () => {
      const { body } = await service.call("/sandbox/webhooks");
      return (body as unknown[]).length === 2 && body;
    });
    expect(tries).toMatchObject([
      { sessionId, attempt: 1, status: 200, error: null },
      { sessionId, attempt: 1, status: 200, error: null },
    ]);
    await service.call("/sandbox/webhooks", { method: "DELETE", headers });
    expect((await service.call("/sandbox/webhooks")).body).toEqual([]);
    await service.call("/sandbox/webhook-faults", { method: "DELETE", headers });
    expect((await service.call("/sandbox/webhook-faults")).body).toMatchObject({ copies: 1 });
    await service.call("/sandbox/webhook", { method: "PUT", headers, body: "null" });
    expect(service.sandbox.control.state().webhookUrl).toBeNull();
  });

  it("restores the webhook that the sandbox was started with", async () => {
    await using receiver = await openReceiver();
    await using service = await openSandbox();
    service.sandbox.setWebhook({ url: receiver.url, authorization: "a secret" });
    const elsewhere = JSON.stringify({ url: receiver.url, authorization: "wrong" });
    for (const [index, body] of [elsewhere, "null"].entries()) {
      await service.call("/sandbox/webhook", { method: "PUT", headers, body });
      expect((await service.call("/sandbox/webhook", { method: "DELETE", headers })).text).not.toContain("secret");
      service.sandbox.control.endCall();
      await until(() => receiver.received.length > index);
      expect(receiver.received.at(-1)?.authorization).toBe("a secret");
    }
  });
});

/** The list is today's where nothing is asked for, and a call that ends a moment after midnight began yesterday. */
const noon = () => at("2026-11-20 12:00:00");

describe("a requested call", () => {
  it("is in the list at once, with the requested values", async () => {
    await using service = await openSandbox({ now: noon });
    const asked = { sessionId: "mine", taskId: 77, direction: "outbound", caller: "A001", callee: "10000000009" };
    expect((await service.post("/sandbox/calls", { ...asked, kind: "privateTest" })).body).toEqual({
      sessionId: "mine",
    });
    const [row] = (await service.list("description=privateTest")).items;
    expect(row).toMatchObject({ ...asked, duration: 23, billsec: 20 });
  });

  it("settles the next open number of a task, and ends the task", async () => {
    await using service = await openSandbox({ now: noon });
    const { control } = service.sandbox;
    control.seed({
      tasks: [{ id: 5, status: "running", numbers: [{ number: "1", extra: { a: 1 } }, { number: "2" }] }],
    });
    for (let count = 0; count < 2; count += 1) control.endCall({ taskId: 5 });
    expect((await service.list("taskId=5")).items.map(({ callee }) => String(callee)).toSorted()).toEqual(["1", "2"]);
    expect(await service.task(5)).toMatchObject({ status: "done", total: 2, progress: 100 });
  });

  it("replaces the row of a known session, and sends its event again", async () => {
    await using receiver = await openReceiver();
    await using service = await openSandbox({ now: noon, webhook: { url: receiver.url, authorization: "x" } });
    service.sandbox.control.endCall({ sessionId: "twice", answered: false });
    service.sandbox.control.endCall({ sessionId: "twice" });
    await until(() => receiver.received.length === 2);
    expect((await service.list()).total).toBe(1);
    expect((await service.list()).items[0]).toHaveProperty("answerAt");
  });

  it("has its own session id", async () => {
    await using service = await openSandbox();
    const ids = Array.from({ length: 500 }, () => service.sandbox.control.endCall().sessionId);
    expect(new Set(ids).size).toBe(500);
  });
});

describe("seeded data", () => {
  it("can be fifty calls over six tasks", async () => {
    await using service = await openSandbox();
    const tasks = Array.from({ length: 6 }, (_, index) => ({ id: 100 + index, name: `Task ${index}` }));
    const calls = Array.from({ length: 50 }, (_, index) => ({ sessionId: `c${index}`, taskId: 100 + (index % 6) }));
    const reply = await service.post("/sandbox/seed", { tasks, calls });
    expect(reply.body).toEqual({
      taskIds: tasks.map(({ id }) => String(id)),
      sessionIds: calls.map(({ sessionId }) => sessionId),
    });
    expect((await service.list("taskId=100,101,102,103,104,105")).total).toBe(50);
    expect((await service.list("taskId=100")).total).toBe(9);
    expect(await service.task(105)).toMatchObject({ name: "Task 5" });
  });

  it("leaves out and adds fields exactly", async () => {
    await using service = await openSandbox();
    service.sandbox.control.seed({
      tasks: [{ id: 1, raw: { status: "paused", deletedAt: "x", progress: 33.3 }, omit: ["summary"] }],
      calls: [{ omit: ["sessionId", "startAt"], raw: { direction: "sideways", duration: null } }],
    });
    const task = await service.task(1);
    expect(task).toMatchObject({ status: "paused", progress: 33.3, deletedAt: "x" });
    expect(task).not.toHaveProperty("summary");
    const [row] = (await service.list()).items;
    expect(row).toMatchObject({ direction: "sideways", duration: null });
    expect(row).not.toHaveProperty("sessionId");
  });

  it("is added completely or not at all", async () => {
    await using service = await openSandbox();
    expect((await service.post("/sandbox/seed", { tasks: [{}], calls: [{ startAt: "yesterday" }] })).status).toBe(400);
    expect((await service.post("/sandbox/seed", { tasks: [{ title: "x" }] })).status).toBe(400);
    expect(service.sandbox.control.state()).toMatchObject({ tasks: 0, calls: 0 });
  });
});

describe("the journal of requests", () => {
  it("holds each request with its answer's status", async () => {
    await using service = await openSandbox();
    await service.call("/openapi/calllog?startTime=2026-11-20%2000%3A00%3A00&taskId=1,2");
    await service.call("/openapi/calllog?pageSize=101");
    await service.post("/openapi/tasks", taskBody());
    await service.call("/openapi/tasks/1", { headers: {} });
    const seen = service.sandbox.control.requests();
    expect(seen).toMatchObject([
      {
        method: "GET",
        path: "/openapi/calllog",
        query: "startTime=2026-11-20%2000%3A00%3A00&taskId=1,2",
        params: { startTime: ["2026-11-20 00:00:00"], taskId: ["1,2"] },
        body: null,
        status: 200,
      },
      { query: "pageSize=101", status: 400 },
      { method: "POST", path: "/openapi/tasks", body: taskBody(), status: 200 },
      { path: "/openapi/tasks/1", status: 401 },
    ]);
    expect((await service.call("/sandbox/requests")).body).toEqual(seen);
    await service.call("/sandbox/requests", { method: "DELETE", headers });
    expect(service.sandbox.control.requests()).toEqual([]);
  });
});
