import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { startGateway } from "../support/gateway.ts";
import { startSandbox } from "../support/sandbox.ts";
import { startBoth } from "../support/startBoth.ts";
import { openSse } from "../support/streams.ts";
import { until } from "../support/until.ts";

const KEPT = { UPSTREAM_CACHE_MS: "3600000" };

const { sandbox, gateway } = await startBoth(KEPT);
beforeAll(async () => {
  await sandbox.control("POST", "seed", {
    tasks: [
      { id: 701, name: "One" },
      { id: 702, name: "Two" },
    ],
  });
});
beforeEach(async () => {
  await sandbox.control("DELETE", "faults");
  await sandbox.forget();
});

const targets = async () => (await sandbox.requests()).map(({ path }) => path);
const BOTH = `{ one: task(taskId: "701") { name } two: task(taskId: "702") { name } }`;
const NAMES = { one: { name: "One" }, two: { name: "Two" } };

describe("a cached response of the service", () => {
  it("is dropped by an event of its task before the webhook is answered", async () => {
    expect((await gateway.ask(BOTH)).data).toEqual(NAMES);
    await sandbox.forget();
    expect((await gateway.ask(BOTH)).data).toEqual(NAMES);
    expect(await targets()).toEqual([]);
    await gateway.deliver(callEndedEvent({ session_id: "ends-701", task_id: 701 }));
    expect((await gateway.ask(BOTH)).data).toEqual(NAMES);
    expect(await targets()).toEqual(["/openapi/tasks/701"]);
  });

  it("is dropped before a subscription shows the task", async () => {
    await using stream = await openSse<{ callEnded: { task: { name: string } } }>(gateway.url, {
      query: "subscription { callEnded { sessionId task { name } } }",
    });
    await until(async () => {
      const { data } = await gateway.ask<{ gateway: { subscribers: number } }>("{ gateway { subscribers } }");
      return data?.gateway.subscribers === 1;
    });
    for (const sessionId of ["live-1", "live-2"]) {
      await gateway.ask(`{ task(taskId: "702") { name } }`);
      await sandbox.forget();
      await gateway.deliver(callEndedEvent({ session_id: sessionId, task_id: 702 }));
      expect((await stream.next()).data?.callEnded).toMatchObject({ task: { name: "Two" } });
      expect(await targets()).toEqual(["/openapi/tasks/702"]);
    }
  });
});

describe("a client that disconnects", () => {
  it("ends its request to the service at once", async () => {
    await sandbox.control("POST", "faults", { kind: "hang", match: { path: "/openapi/tasks/703" } });
    const leave = new AbortController();
    const body = JSON.stringify({ query: `{ task(taskId: "703") { name } }` });
    const headers = { "content-type": "application/json" };
    const asked = fetch(`${gateway.url}/graphql`, { method: "POST", headers, body, signal: leave.signal });
    const state = async () => (await gateway.ask<{ gateway: { upstream: string } }>("{ gateway { upstream } }")).data;
    await until(async () => (await targets()).includes("/openapi/tasks/703"));
    leave.abort();
    await expect(asked).rejects.toThrow();
    expect(await state()).toEqual({ gateway: { upstream: "HEALTHY" } });
  });
});

/** The circuit opens when twenty requests failed within ten seconds. */
const TWENTY = `{ ${Array.from({ length: 20 }, (_, at) => `t${at}: task(taskId: "${at + 1}") { name }`).join(" ")} }`;
/** So often an open circuit lets one request through, which is sent three times at most. */
const PROBE_MS = 2000;

describe("a gateway whose service is down", () => {
  it("still serves stored and live data, and notices when the service is back", async () => {
    await using down = await startSandbox();
    await using other = await startGateway(down, { UPSTREAM_TIMEOUT_MS: "2000" });
    await other.deliver(callEndedEvent({ session_id: "stored", task_id: 701 }));
    await using stream = await openSse<{ callEnded: { sessionId: string } }>(other.url, {
      query: "subscription { callEnded { sessionId task { name } } }",
    });
    await until(async () => {
      const { data } = await other.ask<{ gateway: { subscribers: number } }>("{ gateway { subscribers } }");
      return data?.gateway.subscribers === 1;
    });
    await down.control("POST", "faults", { kind: "reset", match: { method: "GET", path: "/openapi" } });
    const upstream = async () =>
      (await other.ask<{ gateway: { upstream: string } }>("{ gateway { upstream } }")).data?.gateway.upstream;
    expect(await upstream()).toBe("HEALTHY");
    let closedAt = 0;
    await until(async () => {
      closedAt = performance.now();
      await other.ask(TWENTY);
      return (await upstream()) === "DOWN";
    });
    await down.forget();
    const { data, errors } = await other.ask(
      `{ callEndedEvents(first: 1) { nodes { sessionId } } task(taskId: "701") { name } }`,
    );
    expect(data).toEqual({ callEndedEvents: { nodes: [{ sessionId: "stored" }] }, task: null });
    expect(errors).toMatchObject([{ path: ["task"], extensions: { code: "UPSTREAM_UNAVAILABLE", retryable: true } }]);
    await other.deliver(callEndedEvent({ session_id: "live", task_id: 701 }));
    expect(await stream.next()).toMatchObject({
      data: { callEnded: { sessionId: "live", task: null } },
      errors: [{ extensions: { code: "UPSTREAM_UNAVAILABLE" } }],
    });
    const requests = await down.requests();
    expect(requests.length).toBeLessThanOrEqual(3 * Math.floor((performance.now() - closedAt) / PROBE_MS));
    await down.control("DELETE", "faults");
    await until(async () => {
      await other.ask(`{ task(taskId: "701") { name } }`);
      return (await upstream()) === "HEALTHY";
    });
  });
});
