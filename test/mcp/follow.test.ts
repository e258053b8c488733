// An agent follows the log with follow_calls.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectAgent, type Agent } from "../support/agent.ts";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, temporaryDirectory, type Directory, type TestGateway } from "../support/gateway.ts";
import { startSandbox, type TestSandbox } from "../support/sandbox.ts";
import { until } from "../support/until.ts";

const parts = new AsyncDisposableStack();
let sandbox: TestSandbox;
let directory: Directory;

beforeAll(async () => {
  sandbox = parts.use(await startSandbox());
  directory = parts.use(await temporaryDirectory());
});
afterAll(() => parts.disposeAsync());

const start = (own = {}) => startGateway(sandbox, { MCP: "on", DATABASE_URL: directory.database, ...own });
const deliver = (gateway: TestGateway, session: string) =>
  gateway.deliver(callEndedEvent({ session_id: session, task_id: 7 }));

/** How many subscriptions run. */
async function running(gateway: TestGateway): Promise<number | undefined> {
  const { data } = await gateway.ask<{ gateway: { subscribers: number } }>("{ gateway { subscribers } }");
  return data?.gateway.subscribers;
}

/** Calls the tool until it has so many items. */
async function follow(agent: Agent, after: string | null, count: number) {
  const sessions: string[] = [];
  let next = after;
  while (sessions.length < count) {
    const { data } = await agent.call("follow_calls", { after: next, waitSeconds: 25, maxItems: 3 });
    sessions.push(...data.items.map((item: { sessionId: string }) => item.sessionId));
    next = data.next ?? next;
  }
  return { sessions, next };
}

describe("follow_calls", () => {
  it("shows every call once and in order, over a restart of the gateway", async () => {
    const names = Array.from({ length: 10 }, (_, at) => `followed-${at}`);
    let next: string | null;
    {
      await using gateway = await start();
      await using agent = await connectAgent(gateway);
      // Begins now: nothing that came before.
      await deliver(gateway, "before");
      next = (await agent.call("follow_calls", { waitSeconds: 1 })).data.next;
      expect(next).not.toBeNull();
      for (const name of names.slice(0, 5)) await deliver(gateway, name);
      const first = await follow(agent, next, 4);
      expect(first.sessions).toEqual(names.slice(0, first.sessions.length));
      names.splice(0, first.sessions.length);
      next = first.next;
    }
    await using gateway = await start();
    for (const name of names.filter((each) => Number(each.slice(-1)) > 4)) await deliver(gateway, name);
    await using agent = await connectAgent(gateway);
    expect((await follow(agent, next, names.length)).sessions).toEqual(names);
  });

  it("moves on although its filter passes nothing, and finds a call behind many others", async () => {
    await using gateway = await start();
    await using agent = await connectAgent(gateway);
    const filter = { hangupReasons: ["USER_BUSY"] };
    const from = (await agent.call("follow_calls", { filter, waitSeconds: 1 })).data.next as string;
    const places = [from];
    for (let at = 0; at < 3; at += 1) {
      await deliver(gateway, `not asked for ${at}`);
      places.push(
        await until(async () => {
          const after = places.at(-1);
          const { items, next } = (await agent.call("follow_calls", { after, filter, waitSeconds: 1 })).data;
          expect(items).toEqual([]);
          return next === after ? null : (next as string);
        }),
      );
    }
    expect(new Set(places).size).toBe(4);
    const busy = callEndedEvent({ session_id: "busy", task_id: 7, hangup_reason: "USER_BUSY" });
    await gateway.deliver(busy);
    for (const after of [from, places.at(-1)]) {
      const { items } = (await agent.call("follow_calls", { after, filter, waitSeconds: 25 })).data;
      expect(items).toMatchObject([{ sessionId: "busy" }]);
    }
  });

  it("answers at once when a call ends", async () => {
    await using gateway = await start();
    await using agent = await connectAgent(gateway);
    const { next } = (await agent.call("follow_calls", { waitSeconds: 1 })).data;
    const waiting = agent.call("follow_calls", { after: next, waitSeconds: 25 });
    await deliver(gateway, "awaited");
    expect((await waiting).data.items).toMatchObject([{ sessionId: "awaited" }]);
  });

  it("ends when its client cancels it, and leaves nothing running", async () => {
    await using gateway = await start();
    await using agent = await connectAgent(gateway);
    const controller = new AbortController();
    const waiting = agent.call("follow_calls", { waitSeconds: 25 }, { signal: controller.signal });
    await until(async () => (await running(gateway)) === 1);
    controller.abort();
    await expect(waiting).rejects.toThrow();
    await until(async () => (await running(gateway)) === 0);
  });

  it.each(["modern", "legacy"] as const)("leaves nothing running when its %s program leaves", async (era) => {
    // https://github.com/PrefectHQ/fastmcp/issues/4354, https://github.com/jmrplens/gitlab-mcp-server/pull/453
    await using gateway = await start();
    const agent = await connectAgent(gateway, { era });
    const waiting = agent.call("follow_calls", { waitSeconds: 25 });
    const left = expect(waiting).rejects.toThrow();
    await until(async () => (await running(gateway)) === 1);
    await agent[Symbol.asyncDispose]();
    await left;
    await until(async () => (await running(gateway)) === 0);
  });

  it("answers at once when the gateway stops, and goes on after it", async () => {
    const gateway = await start({ DRAIN_SECONDS: "600" });
    const agent = await connectAgent(gateway);
    const { next } = (await agent.call("follow_calls", { waitSeconds: 1 })).data;
    const waiting = agent.call("follow_calls", { after: next, waitSeconds: 25 });
    await until(async () => (await running(gateway)) === 1);
    await gateway[Symbol.asyncDispose]();
    const { data, errors } = await waiting;
    // It may have stopped before it had read the log, and has no place then.
    if (errors.length > 0) expect(errors).toMatchObject([{ code: "STORE_UNAVAILABLE" }]);
    else expect(data).toEqual({ items: [], next: expect.any(String) as string });
    await using again = await start();
    await deliver(again, "after the stop");
    await using other = await connectAgent(again);
    expect((await follow(other, data.next ?? next, 1)).sessions).toEqual(["after the stop"]);
  });

  it("refuses a cursor that is none, and a wait beyond its limits", async () => {
    await using gateway = await start();
    await using agent = await connectAgent(gateway);
    expect((await agent.call("follow_calls", { after: "nonsense" })).errors).toMatchObject([
      { code: "CURSOR_INVALID" },
    ]);
    for (const own of [{ waitSeconds: 26 }, { waitSeconds: "5" }, { maxItems: 0 }])
      expect((await agent.call("follow_calls", own)).errors).toMatchObject([{ code: "BAD_USER_INPUT" }]);
  });
});
