import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConnectionState, StreamItem } from "../../client/src/index.ts";
import { cuttingProxy } from "../support/network/cuttingProxy.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { clientOf, endCalls, sessionIds, started, take } from "./clients.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ url: "http://127.0.0.1:9" });
});
afterAll(() => gateway[Symbol.asyncDispose]());

const idsOf = (items: StreamItem[]) => items.map((item) => (item.type === "call" ? item.call.sessionId : item.type));

describe.each([
  ["WebSocket", "ws", {}],
  ["server-sent events", "sse", { webSocketImpl: null }],
])("callEnded by %s", (_, name, options) => {
  it("delivers new calls, with what calls:read gives", async () => {
    await using client = clientOf(gateway, options);
    const items = await started(client, client.callEnded());
    await endCalls(gateway, [`${name}-fresh-1`, `${name}-fresh-2`]);
    const [first, second] = await take(items, 2);
    expect(first).toMatchObject({
      type: "call",
      call: { sessionId: `${name}-fresh-1`, answered: true, assistants: [{ assistantId: "3", versionId: "31" }] },
    });
    expect(second).toMatchObject({ type: "call", call: { sessionId: `${name}-fresh-2` } });
  });

  it("goes on behind the last item after the connection was cut", async () => {
    await using proxy = await cuttingProxy(gateway.url);
    await using client = clientOf(proxy, options);
    const items = await started(client, client.callEnded());
    await endCalls(gateway, [`${name}-cut-1`]);
    expect(idsOf(await take(items, 1))).toEqual([`${name}-cut-1`]);
    proxy.cutAll();
    await endCalls(gateway, [`${name}-cut-2`, `${name}-cut-3`]);
    expect(idsOf(await take(items, 2))).toEqual([`${name}-cut-2`, `${name}-cut-3`]);
    await until(() => client.state.name === "live");
  });

  it("delivers what was missed since a cursor, and tells that it catches up", async () => {
    await using client = clientOf(gateway, options);
    const states: ConnectionState[] = [];
    const first = await started(client, client.callEnded());
    await endCalls(gateway, sessionIds(name, 0, 30));
    const [{ cursor: after }] = (await take(first, 30)) as [StreamItem];
    await first.return?.();
    client.onState((state) => states.push(state));
    const again = client.callEnded({ after });
    expect(idsOf(await take(again, 29))).toEqual(sessionIds(name, 1, 29));
    await until(() => client.state.name === "live");
    expect([...new Set(states.map(({ name }) => name))]).toEqual(["connecting", "catchingUp", "live"]);
    await again.return?.();
    expect(client.state).toEqual({ name: "idle" });
  });
});
