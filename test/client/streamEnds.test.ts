import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConnectionState } from "../../client/src/index.ts";
import { startGateway, temporaryDirectory, type Directory, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { until } from "../support/until.ts";
import { clientOf, endCalls, started, take, transports } from "./clients.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ url: "http://127.0.0.1:9" });
});
afterAll(() => gateway[Symbol.asyncDispose]());

let folder: Directory;
let guarded: TestGateway;
beforeAll(async () => {
  folder = await temporaryDirectory();
  const file = await writeKeys(folder.path, { reader: ["calls:read"], other: ["calls:read"], nobody: [] });
  guarded = await startGateway({ url: "http://127.0.0.1:9" }, { API_KEYS_FILE: file });
});
afterAll(async () => {
  await guarded[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describe.each(transports)("A stream by %s", (name, options) => {
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

  it("ends with a TypeError for a variable that is no JSON", async () => {
    await using client = clientOf(gateway, options);
    const items = client.subscribe("subscription ($after: String) { callEnded(after: $after) { id } }", { after: 1n });
    await expect(items.next()).rejects.toThrow(TypeError);
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });

  it("becomes live although listeners throw, whose errors are reported as uncaught", async () => {
    const uncaught: unknown[] = [];
    const others = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    process.on("uncaughtException", (error) => uncaught.push(error));
    try {
      await using client = clientOf(gateway, options);
      const fail = (origin: string) => (state: ConnectionState) => {
        if (state.name === "live") throw new Error(origin);
      };
      client.onState(fail("of the client"));
      const items = await started(client, client.callEnded({ onState: fail("of the stream") }));
      await endCalls(gateway, [`listened-${name}`]);
      expect(await take(items, 1)).toMatchObject([{ call: { sessionId: `listened-${name}` } }]);
      expect(uncaught).toEqual([new Error("of the stream"), new Error("of the client")]);
    } finally {
      process.removeAllListeners("uncaughtException");
      for (const listener of others) process.on("uncaughtException", listener);
    }
  });
});
