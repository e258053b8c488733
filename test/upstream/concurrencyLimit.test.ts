import { describe, expect, it } from "vitest";
import { createRequester } from "../../src/upstream/requester.ts";
import { until } from "../support/until.ts";
import { heldSender, respond } from "./heldTransport.ts";
import { json, serve, upstreamAt, createTask } from "./service.ts";

/** A service that answers when the test says so. */
async function held() {
  const waiting: (() => void)[] = [];
  const service = await serve((response, asked, request) => {
    if (asked.method === "POST") return json({})(response, asked, request);
    waiting.push(() => json(null, 404)(response, asked, request));
  });
  return { service, waiting };
}

describe("the concurrency limit", () => {
  it("sends queued requests in their order", async () => {
    const { service, waiting } = await held();
    await using _ = service;
    await using upstream = upstreamAt(service.url, { concurrency: 2 });
    const all = Promise.all(["1", "2", "3", "4", "5"].map((id) => upstream.getTask(id)));
    for (let at = 0; at < 5; at += 1) {
      await until(() => waiting.length > at && upstream.status().underWay + upstream.status().queued === 5 - at);
      expect(upstream.status()).toMatchObject({ underWay: Math.min(2, 5 - at), queued: Math.max(0, 3 - at) });
      waiting[at]?.();
    }
    await all;
    expect(service.asked.map(({ target }) => target.at(-1))).toEqual(["1", "2", "3", "4", "5"]);
    expect(upstream.status()).toMatchObject({ requests: 5, underWay: 0, queued: 0 });
  });

  it("never sends a request that is cancelled in the queue", async () => {
    const { service, waiting } = await held();
    await using _ = service;
    await using upstream = upstreamAt(service.url, { concurrency: 1 });
    const caller = new AbortController();
    const first = upstream.getTask("1");
    const second = upstream.getTask("2", createRequester({ signal: caller.signal }));
    const third = upstream.getTask("3");
    await until(() => waiting.length === 1);
    caller.abort(new Error("left"));
    await expect(second).rejects.toThrow("left");
    waiting[0]?.();
    await until(() => waiting.length === 2);
    waiting[1]?.();
    expect(await Promise.all([first, third])).toEqual([null, null]);
    expect(service.asked.map(({ target }) => target.at(-1))).toEqual(["1", "3"]);
  });

  it("never sends a request whose deadline passes in the queue", async () => {
    const { service } = await held();
    await using _ = service;
    await using upstream = upstreamAt(service.url, { concurrency: 1, timeoutMs: 100 });
    const [first, second] = await Promise.allSettled([upstream.getTask("1"), upstream.getTask("2")]);
    expect([first, second]).toMatchObject([
      { reason: { code: "UPSTREAM_TIMEOUT" } },
      { reason: { code: "UPSTREAM_TIMEOUT" } },
    ]);
  });

  it("does not delay the creation of a task", async () => {
    const { service, waiting } = await held();
    await using _ = service;
    await using upstream = upstreamAt(service.url, { concurrency: 1 });
    const reads = [upstream.getTask("1"), upstream.getTask("2")];
    await until(() => waiting.length === 1);
    expect(await createTask(upstream)).toEqual({ kind: "accepted" });
    for (const at of [0, 1]) {
      await until(() => waiting.length > at);
      waiting[at]?.();
    }
    await Promise.all(reads);
  });
});

describe("a full queue", () => {
  it("refuses a further request at once", async () => {
    const { ask, held, queued, inFlight } = heldSender(undefined, { maxInFlight: 1, maxQueued: 2 });
    const three = [ask(), ask(), ask()].map(({ outcome }) => outcome);
    expect(await ask().outcome).toMatchObject({ code: "UPSTREAM_UNAVAILABLE", retryable: true });
    for (let at = 0; at < 3; at += 1) {
      await until(() => held.length === 1);
      held.shift()?.(respond(200));
    }
    expect(await Promise.all(three)).toMatchObject([{ status: 200 }, { status: 200 }, { status: 200 }]);
    expect([queued(), inFlight()]).toEqual([0, 0]);
  });
});
