import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SwitchboardError } from "../../client/src/index.ts";
import { cuttingProxy } from "../support/network/cuttingProxy.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { clientOf, endCalls, sessionIds, started, take } from "./clients.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ url: "http://127.0.0.1:9" });
});
afterAll(() => gateway[Symbol.asyncDispose]());

interface Ended {
  callEnded: { sessionId: string };
}

const LIVE = "subscription($after: String) { callEnded(after: $after) { sessionId } }";
const PROGRESS = 'subscription { taskProgress(taskId: "7") { name } }';

describe.each([
  ["WebSocket", {}],
  ["server-sent events", { webSocketImpl: null }],
])("subscribe by %s", (name, options) => {
  it("subscribes again after the connection was cut", async () => {
    const { data } = await gateway.ask<{ callEndedEvents: { headCursor: string } }>(
      "{ callEndedEvents { headCursor } }",
    );
    await endCalls(gateway, [`first-${name}`]);
    await using proxy = await cuttingProxy(gateway.url);
    await using client = clientOf(proxy, options);
    const items = client.subscribe<Ended>(LIVE, { after: data?.callEndedEvents.headCursor });
    expect(await take(items, 1)).toEqual([{ callEnded: { sessionId: `first-${name}` } }]);
    expect(client.state).toEqual({ name: "live" });
    proxy.cutAll();
    expect(await take(items, 1)).toEqual([{ callEnded: { sessionId: `first-${name}` } }]);
    await items.return?.();
  });

  it("ends with the error of an item, or hands it to onItemError and goes on", async () => {
    await using client = clientOf(gateway, options);
    await expect(client.subscribe(PROGRESS).next()).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      data: { taskProgress: null },
    });
    expect(client.state).toMatchObject({ name: "ended" });
    const errors: SwitchboardError[] = [];
    const items = client.subscribe(PROGRESS, {}, { onItemError: (error) => errors.push(error) });
    const next = items.next();
    await until(() => errors.length > 0);
    expect(errors[0]).toMatchObject({ code: "UPSTREAM_UNAVAILABLE", retryable: true });
    await items.return?.();
    expect(await next).toMatchObject({ done: true });
  });
});

it("subscribe ends with CONSUMER_TOO_SLOW beyond 1,000 items that are not read", async () => {
  await using client = clientOf(gateway);
  const { data } = await gateway.ask<{ callEndedEvents: { headCursor: string } }>("{ callEndedEvents { headCursor } }");
  const ids = sessionIds("unread", 0, 1010);
  await Promise.all(
    Array.from({ length: 10 }, (_, part) => endCalls(gateway, ids.slice(part * 101, part * 101 + 101))),
  );
  const items = client.subscribe<Ended>(LIVE, { after: data?.callEndedEvents.headCursor });
  await items.next();
  await until(() => client.state.name === "ended");
  await take(items, 1001);
  await expect(items.next()).rejects.toMatchObject({ code: "CONSUMER_TOO_SLOW" });
});

it("all streams of a client share one WebSocket", async () => {
  await using proxy = await cuttingProxy(gateway.url);
  await using client = clientOf(proxy);
  const { data } = await gateway.ask<{ callEndedEvents: { headCursor: string } }>("{ callEndedEvents { headCursor } }");
  const after = data?.callEndedEvents.headCursor;
  // The client is live with the first of them. The others begin at the cursor, also where the event comes before them.
  const items = [
    await started(client, client.callEnded({ after })),
    await started(client, client.callEnded({ after })),
  ];
  const other = client.subscribe<Ended>(LIVE, { after }).next();
  await endCalls(gateway, ["shared-1"]);
  expect(await Promise.all(items.map((stream) => take(stream, 1)))).toMatchObject([
    [{ call: { sessionId: "shared-1" } }],
    [{ call: { sessionId: "shared-1" } }],
  ]);
  expect(proxy.upgrades).toBe(1);
  await client.close();
  await other;
});
