import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { ConnectionState } from "../../client/src/index.ts";
import { cuttingProxy } from "../support/network/cuttingProxy.ts";
import { spawnGateway, type GatewayProgram } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { clientOf, endCalls, started, take, transports, untilTurn } from "./clients.ts";
import { scriptedServer, text } from "./scriptedServer.ts";

let gateway: GatewayProgram;
beforeAll(async () => {
  gateway = await spawnGateway({ url: "http://127.0.0.1:9" });
});
afterAll(() => gateway[Symbol.asyncDispose]());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("A proxy that blocks WebSockets", () => {
  it("makes the client go on by server-sent events, and try WebSockets again after five minutes", async () => {
    await using proxy = await cuttingProxy(gateway.url);
    proxy.blocksWebSockets = true;
    await using client = clientOf(proxy);
    const items = await started(client, client.callEnded());
    await endCalls(gateway, ["blocked-1"]);
    expect(await take(items, 1)).toMatchObject([{ call: { sessionId: "blocked-1" } }]);
    expect(proxy.upgrades).toBe(1);

    proxy.cutAll();
    await endCalls(gateway, ["blocked-2"]);
    expect(await take(items, 1)).toMatchObject([{ call: { sessionId: "blocked-2" } }]);
    expect(proxy.upgrades).toBe(1);

    proxy.blocksWebSockets = false;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 300_001 });
    proxy.cutAll();
    await endCalls(gateway, ["blocked-3"]);
    expect(await take(items, 1)).toMatchObject([{ call: { sessionId: "blocked-3" } }]);
    expect(proxy.upgrades).toBe(2);
  });
});

describe("A page whose WebSocket constructor throws", () => {
  it("is served by server-sent events", async () => {
    const webSocketImpl = Object.assign(
      function () {
        throw new Error("Refused by the content security policy.");
      },
      { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 },
    );
    await using client = clientOf(gateway, { webSocketImpl });
    const items = await started(client, client.callEnded());
    await endCalls(gateway, ["policy-1"]);
    expect(await take(items, 1)).toMatchObject([{ call: { sessionId: "policy-1" } }]);
  });
});

describe.each(transports)("A stream by %s", (name, options) => {
  it("waits for a gateway that is away, and tells until when and why", async () => {
    await using proxy = await cuttingProxy("http://127.0.0.1:9");
    let isFirst = true;
    const random = () => (isFirst ? ((isFirst = false), 0.5) : 0);
    await using client = clientOf(proxy, { ...options, random });
    const states: ConnectionState[] = [];
    client.onState((state) => states.push(state));
    const item = client.callEnded().next();
    await until(() => states.some((state) => state.name === "waiting"));
    proxy.target = gateway.url;
    await until(() => client.state.name === "live");
    expect(states[0]).toEqual({ name: "connecting" });
    expect(states[1]).toMatchObject({ name: "waiting", until: expect.any(Date), reason: expect.stringMatching(/\w/) });
    await endCalls(gateway, [`away-${name}`]);
    expect((await item).value).toMatchObject({ call: { sessionId: `away-${name}` } });
  });

  it("notices a connection on which nothing comes any more", async () => {
    await using proxy = await cuttingProxy(gateway.url);
    await using client = clientOf(proxy, options);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const item = client.callEnded().next();
    await untilTurn(() => client.state.name === "live");
    proxy.freezeAll();
    proxy.target = "http://127.0.0.1:9";
    const states: ConnectionState[] = [];
    client.onState((state) => states.push(state));
    await vi.advanceTimersByTimeAsync(30_000);
    await untilTurn(() => states.some((state) => state.name === "waiting"));
    expect(states[0]).toMatchObject({ name: "waiting", reason: "The gateway is silent." });
    await client.close();
    expect(await item).toMatchObject({ done: true });
  });
});

describe("A stream by server-sent events", () => {
  const options = { webSocketImpl: null };

  it("goes on after a proxy answered with a page of its own, if it was live before", async () => {
    await using login = await scriptedServer(text("<h1>Log in to the hotel's network</h1>", 200));
    await using proxy = await cuttingProxy(gateway.url);
    await using client = clientOf(proxy, options);
    const items = await started(client, client.callEnded());
    const reasons: string[] = [];
    client.onState((state) => state.name === "waiting" && reasons.push(state.reason));
    proxy.target = login.url;
    proxy.cutAll();
    await until(() => reasons.some((reason) => reason.includes("hotel")));
    proxy.target = gateway.url;
    proxy.cutAll();
    await until(() => client.state.name === "live");
    await endCalls(gateway, ["after-login"]);
    expect(await take(items, 1)).toMatchObject([{ call: { sessionId: "after-login" } }]);
  });

  it("ends with BAD_RESPONSE if the first answer is not the gateway's", async () => {
    await using server = await scriptedServer(text("<h1>Another program</h1>", 200));
    await using client = clientOf(server, options);
    await expect(client.callEnded().next()).rejects.toMatchObject({ code: "BAD_RESPONSE", status: 200 });
  });

  it("waits an hour at most, also if Retry-After asks for months", async () => {
    await using server = await scriptedServer(text("", 503, { "retry-after": "9999999" }));
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    const client = clientOf(server, options);
    const item = client.callEnded().next();
    await untilTurn(() => client.state.name === "waiting");
    expect(client.state).toMatchObject({ until: new Date(Date.now() + 3_600_000) });
    await vi.advanceTimersByTimeAsync(3_599_999);
    expect(server.requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await untilTurn(() => server.requests.length === 2);
    await client.close();
    expect(await item).toMatchObject({ done: true });
  });
});
