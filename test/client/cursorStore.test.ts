import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CursorStore } from "../../client/src/index.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { clientOf, endCalls, sessionIds, started, take, transports } from "./clients.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ url: "http://127.0.0.1:9" });
});
afterAll(() => gateway[Symbol.asyncDispose]());

describe.each(transports)("A stream by %s", (name, options) => {
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
    expect(await items.next()).toEqual({ done: true, value: undefined });
    expect(client.state).toEqual({ name: "idle" });
    const failing = client.callEnded({ cursorStore: { load: () => Promise.reject(new Error("No store.")), save } });
    await expect(failing.next()).rejects.toThrow("No store.");
  });
});
