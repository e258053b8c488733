import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { spawnGateway, temporaryDirectory, type Directory, type GatewayProgram } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { until } from "../support/until.ts";
import { clientOf, endCalls, started, take, transports, untilTurn } from "./clients.ts";

let folder: Directory;
let guarded: GatewayProgram;
beforeAll(async () => {
  folder = await temporaryDirectory();
  const file = await writeKeys(folder.path, { reader: ["calls:read"], other: ["calls:read"], nobody: [] });
  guarded = await spawnGateway({ url: "http://127.0.0.1:9" }, { API_KEYS_FILE: file });
});
afterAll(async () => {
  await guarded[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});
afterEach(() => void vi.useRealTimers());

describe.each(transports)("A stream by %s", (name, options) => {
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
    await using changing = await spawnGateway({ url: "http://127.0.0.1:9" }, { API_KEYS_FILE: file });
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

  it("gives up a function that does not answer after 20 seconds, and asks it again", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    let asked = 0;
    const authorization = () => {
      asked += 1;
      return asked === 1 ? new Promise<string>(() => {}) : bearer("reader");
    };
    await using client = clientOf(guarded, { ...options, authorization });
    const item = client.callEnded().next();
    await untilTurn(() => asked === 1);
    await vi.advanceTimersByTimeAsync(20_000);
    await untilTurn(() => client.state.name === "waiting");
    expect(client.state).toMatchObject({ reason: "authorization failed: There was no answer in time." });
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    await until(() => client.state.name === "live");
    await client.close();
    expect(await item).toMatchObject({ done: true });
  });
});
