import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { ConnectionState, CursorStore } from "../../client/src/index.ts";
import { startGateway, temporaryDirectory, type Directory, type GatewayProgram } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { until } from "../support/until.ts";
import { clientOf, endCalls, sessionIds, started, take, untilTurn } from "./clients.ts";
import { startTcpProxy } from "./tcpProxy.ts";

let gateway: GatewayProgram;
let folder: Directory;
let guarded: GatewayProgram;
beforeAll(async () => {
  folder = await temporaryDirectory();
  const file = await writeKeys(folder.path, { reader: ["calls:read"], other: ["calls:read"], nobody: [] });
  gateway = await startGateway({ url: "http://127.0.0.1:9" });
  guarded = await startGateway({ url: "http://127.0.0.1:9" }, { API_KEYS_FILE: file });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await guarded[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const both: [string, { webSocketImpl?: null }][] = [
  ["WebSocket", {}],
  ["server-sent events", { webSocketImpl: null }],
];

describe("A proxy that blocks WebSockets", () => {
  it("makes the client go on by server-sent events, and try WebSockets again after five minutes", async () => {
    await using proxy = await startTcpProxy(gateway);
    proxy.blocksWebSockets = true;
    await using client = clientOf(proxy);
    const items = await started(client, client.callEnded());
    await endCalls(gateway, ["blocked-1"]);
    expect(await take(items, 1)).toMatchObject([{ call: { sessionId: "blocked-1" } }]);
    expect(proxy.upgrades()).toBe(1);

    proxy.cut();
    await endCalls(gateway, ["blocked-2"]);
    expect(await take(items, 1)).toMatchObject([{ call: { sessionId: "blocked-2" } }]);
    expect(proxy.upgrades()).toBe(1);

    proxy.blocksWebSockets = false;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 300_001 });
    proxy.cut();
    await endCalls(gateway, ["blocked-3"]);
    expect(await take(items, 1)).toMatchObject([{ call: { sessionId: "blocked-3" } }]);
    expect(proxy.upgrades()).toBe(2);
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

describe.each(both)("A stream by %s", (name, options) => {
  it("waits for a gateway that is away, and tells until when and why", async () => {
    await using proxy = await startTcpProxy({ url: "http://127.0.0.1:9" });
    let isFirst = true;
    const random = () => (isFirst ? ((isFirst = false), 0.5) : 0);
    await using client = clientOf(proxy, { ...options, random });
    const states: ConnectionState[] = [];
    client.onState((state) => states.push(state));
    const item = client.callEnded().next();
    await until(() => states.some((state) => state.name === "waiting"));
    proxy.target = gateway;
    await until(() => client.state.name === "live");
    expect(states[0]).toEqual({ name: "connecting" });
    expect(states[1]).toMatchObject({ name: "waiting", until: expect.any(Date), reason: expect.stringMatching(/\w/) });
    await endCalls(gateway, [`away-${name}`]);
    expect((await item).value).toMatchObject({ call: { sessionId: `away-${name}` } });
  });

  it.each([
    ["a cursor that no gateway made", { after: "nonsense" }, "CURSOR_INVALID"],
    ["a field that is not in the graph", { fields: "sessionId nothing" }, "GRAPHQL_VALIDATION_FAILED"],
    ["a filter that the viewer may not use", { filter: { phone: "+8613800010001" } }, "FORBIDDEN"],
  ])("ends with the error of %s", async (_, asked, code) => {
    await using client = clientOf(guarded, { ...options, authorization: bearer("reader") });
    const states: ConnectionState[] = [];
    client.onState((state) => states.push(state));
    const items = client.callEnded(asked as { fields: string });
    await expect(items.next()).rejects.toMatchObject({ name: "SwitchboardError", code, retryable: false });
    expect(states.map((state) => state.name)).toEqual(["connecting", "ended"]);
    expect(client.state).toMatchObject({ name: "ended", error: { code } });
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });

  it("ends with UNAUTHENTICATED if a fixed text is refused, and goes on if a function has another value", async () => {
    await using fixed = clientOf(guarded, { ...options, authorization: "Bearer wrong" });
    await expect(fixed.callEnded().next()).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    const asked: (string | undefined)[] = [];
    const authorization = (refused?: string) => {
      asked.push(refused);
      return asked.length === 1 ? `Bearer old ${name}` : bearer("reader");
    };
    await using changing = clientOf(guarded, { ...options, authorization });
    const items = await started(changing, changing.callEnded());
    expect(asked).toEqual([undefined, `Bearer old ${name}`]);
    await endCalls(guarded, [`changed-${name}`]);
    expect(await take(items, 1)).toMatchObject([{ call: { sessionId: `changed-${name}` } }]);
  });

  it("goes on with other credentials when its own are revoked", async () => {
    await using keys = await temporaryDirectory();
    const file = await writeKeys(keys.path, { first: ["calls:read"], second: ["calls:read"] });
    await using changing = await startGateway({ url: "http://127.0.0.1:9" }, { API_KEYS_FILE: file });
    const asked: (string | undefined)[] = [];
    const authorization = (refused?: string) => {
      asked.push(refused);
      return refused === bearer("first") ? bearer("second") : bearer("first");
    };
    await using client = clientOf(changing, { ...options, authorization });
    const items = await started(client, client.callEnded());
    await writeKeys(keys.path, { second: ["calls:read"] });
    await until(() => asked.includes(bearer("first")));
    await endCalls(changing, ["after"]);
    expect(await take(items, 1)).toMatchObject([{ call: { sessionId: "after" } }]);
  });

  it("ends at once with return(), with the signal and with the client, also while it waits", async () => {
    const client = clientOf(gateway, options);
    const abort = new AbortController();
    const streams = [client.callEnded(), client.callEnded({ signal: abort.signal }), client.callEnded()] as const;
    const items = streams.map((stream) => stream.next());
    await until(() => client.state.name === "live");
    await streams[0].return?.();
    abort.abort();
    expect(await Promise.all(items.slice(0, 2))).toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
    expect(client.state).toEqual({ name: "live" });
    await client.close();
    expect(await items[2]).toEqual({ done: true, value: undefined });
    expect(client.state).toEqual({ name: "ended" });
    expect(await client.callEnded().next()).toEqual({ done: true, value: undefined });
  });

  it("saves a cursor when the next item is asked for, and goes on behind it", async () => {
    const saved: string[] = [];
    const cursorStore: CursorStore = { load: () => saved.at(-1) ?? null, save: (cursor) => void saved.push(cursor) };
    await using client = clientOf(gateway, options);
    const first = await started(client, client.callEnded({ cursorStore }));
    const ids = sessionIds(`saved-${name}`, 0, 3);
    await endCalls(gateway, ids);
    const [one, two] = await take(first, 2);
    expect(saved).toContain(one?.cursor);
    expect(saved).not.toContain(two?.cursor);
    await first.return?.();
    // The second item was not done: it comes again.
    const again = await take(client.callEnded({ cursorStore }), 2);
    expect(again).toMatchObject(ids.slice(1).map((sessionId) => ({ call: { sessionId } })));
  });

  it("ends with the error of its cursor store", async () => {
    const save = () => Promise.reject(new Error("The disk is full."));
    await using client = clientOf(gateway, options);
    const items = client.callEnded({ cursorStore: { load: () => null, save } });
    await expect(items.next()).rejects.toThrow("The disk is full.");
    expect(client.state).toEqual({ name: "idle" });
    const failing = client.callEnded({ cursorStore: { load: () => Promise.reject(new Error("No store.")), save } });
    await expect(failing.next()).rejects.toThrow("No store.");
  });

  it("tells with an item why its fields are null", async () => {
    await using client = clientOf(gateway, options);
    const items = await started(client, client.callEnded<{ task: null }>({ fields: "sessionId task { name }" }));
    await endCalls(gateway, [`partial-${name}`]);
    expect(await take(items, 1)).toMatchObject([
      {
        call: { task: null },
        errors: [{ path: ["callEndedStream", "task"], extensions: { code: "UPSTREAM_UNAVAILABLE" } }],
      },
    ]);
  });

  it("notices a connection on which nothing comes any more", async () => {
    await using proxy = await startTcpProxy(gateway);
    await using client = clientOf(proxy, options);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const item = client.callEnded().next();
    await untilTurn(() => client.state.name === "live");
    proxy.swallow();
    proxy.target = { url: "http://127.0.0.1:9" };
    const states: ConnectionState[] = [];
    client.onState((state) => states.push(state));
    await vi.advanceTimersByTimeAsync(30_000);
    await untilTurn(() => states.some((state) => state.name === "waiting"));
    expect(states[0]).toMatchObject({ name: "waiting", reason: "The gateway is silent." });
    await client.close();
    expect(await item).toMatchObject({ done: true });
  });
});

describe("A consumer that does not read", () => {
  it("is not sent the whole log: the subscription pauses, and goes on behind the last item", async () => {
    await using client = clientOf(gateway);
    const first = await started(client, client.callEnded());
    const ids = sessionIds("slow", 0, 1300);
    await Promise.all(
      Array.from({ length: 13 }, (_, part) => endCalls(gateway, ids.slice(part * 100, part * 100 + 100))),
    );
    const [after, ...rest] = (await take(first, 1300)).map((item) => item.cursor);
    await first.return?.();

    const sent: string[] = [];
    class Recording extends WebSocket {
      override send(data: string): void {
        sent.push((JSON.parse(data) as { type: string }).type);
        super.send(data);
      }
    }
    await using recorded = clientOf(gateway, { webSocketImpl: Recording });
    const items = recorded.callEnded({ after });
    await items.next();
    await until(() => sent.includes("complete"));
    expect(sent.filter((type) => type === "subscribe")).toHaveLength(1);
    expect([rest[0], ...(await take(items, 1298)).map((item) => item.cursor)]).toEqual(rest);
    expect(sent.filter((type) => type === "subscribe").length).toBeGreaterThan(1);
  });
});
