import { describe, expect, it } from "vitest";
import type { CodedError } from "../../src/errors.ts";
import { createRequester, NO_CHECKS } from "../../src/upstream/requester.ts";
import { createRetryPolicy } from "../../src/upstream/retryPolicy.ts";
import { heldSender, respond } from "./heldTransport.ts";
import {
  callLogQuery,
  emptyPage,
  json,
  raw,
  serve,
  serveBytes,
  upstreamAt,
  type Double,
  createTask,
} from "./service.ts";

async function read(url: string, timeoutMs = 10_000): Promise<unknown> {
  await using upstream = upstreamAt(url, { timeoutMs });
  return await upstream.listCallLogs(callLogQuery()).catch((error: unknown) => error);
}

/** Fails the first requests and answers the others. */
function failing(times: number, failure: ReturnType<typeof json>): Promise<Double> {
  let seen = 0;
  return serve((response, asked, request) => {
    seen += 1;
    (seen <= times ? failure : json(emptyPage))(response, asked, request);
  });
}

describe("a request that failed temporarily", () => {
  it.each([500, 502, 503, 429])("is retried at most twice after %i", async (status) => {
    await using service = await failing(2, json({}, status));
    expect(await read(service.url)).toMatchObject({ total: 0 });
    expect(service.asked.length).toBe(3);
    await using down = await serve(json({}, status));
    expect(await read(down.url)).toMatchObject({
      code: status === 429 ? "UPSTREAM_RATE_LIMITED" : "UPSTREAM_UNAVAILABLE",
    });
    expect(down.asked.length).toBe(3);
  });

  it.each([500, 429])("is not retried after %i without a spare request of its caller", async (status) => {
    await using down = await serve(json({}, status));
    await using upstream = upstreamAt(down.url);
    const requester = createRequester({ allowance: { max: 4, counted: 2, checks: { ...NO_CHECKS, end: 1 } } });
    const ask = () => upstream.listCallLogs(callLogQuery(), requester).catch((error: CodedError) => error.code);
    const code = status === 429 ? "UPSTREAM_RATE_LIMITED" : "UPSTREAM_UNAVAILABLE";
    expect([await ask(), down.asked.length]).toEqual([code, 2]);
    expect([await ask(), down.asked.length]).toEqual([code, 3]);
  });

  it("is retried at most twice after a broken connection", async () => {
    await using service = await serveBytes((socket) => socket.destroy());
    expect(await read(service.url)).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    expect(service.asked.length).toBe(3);
  });

  it.each([400, 403, 404, 408, 302])("is not retried after %i", async (status) => {
    await using service = await serve(json({}, status));
    await read(service.url);
    expect(service.asked.length).toBe(1);
  });

  it("is not retried after an unreadable answer or a timeout", async () => {
    await using broken = await serve(raw("<html>", 200, { "content-type": "text/html" }));
    await read(broken.url);
    expect(broken.asked.length).toBe(1);
    await using silent = await serve(() => undefined);
    expect(await read(silent.url, 2000)).toMatchObject({ code: "UPSTREAM_TIMEOUT" });
    expect(silent.asked.length).toBe(1);
  });

  it("is never retried if it creates a task", async () => {
    await using service = await serve(json({}, 503));
    await using upstream = upstreamAt(service.url);
    expect(await createTask(upstream)).toEqual({ kind: "unconfirmed" });
    expect(service.asked.length).toBe(1);
  });
});

describe("the retry budget", () => {
  it.each([1, 5, 50, 200])(
    "allows a fifth of the requests and ten more: %i requests that all fail",
    async (requests) => {
      const { ask, attempts, retries } = heldSender(() => respond(503));
      await Promise.all(Array.from({ length: requests }, () => ask().outcome));
      expect(retries()).toBe(Math.min(2 * requests, Math.floor(0.2 * requests + 10)));
      expect(attempts()).toBe(requests + retries());
    },
  );

  it("covers the last ten seconds, so ten retries are always left in quiet times", async () => {
    let now = 0;
    const retryPolicy = createRetryPolicy({ now: () => now, random: () => 0 });
    const twenty = () => {
      for (let at = 0; at < 20; at += 1) retryPolicy.countRequest();
      for (const number of [1, 2]) {
        for (let at = 0; at < 20; at += 1)
          retryPolicy.pauseAfter({ number, outcome: respond(503), deadlineAt: Infinity });
      }
    };
    twenty();
    expect(retryPolicy.retries()).toBe(14);
    now = 60_000;
    twenty();
    expect(retryPolicy.retries()).toBe(28);
  });
});

describe("a retry after Retry-After", () => {
  it.each([
    ["0", 3],
    ["10", 1],
    ["100000000", 1],
    [new Date(Date.now() + 3_600_000).toUTCString(), 1],
    ["Fri, 20 Nov 2015 09:30:00 GMT", 3],
  ])("is sent only if that is before the deadline: %s leads to %i requests", async (header, requests) => {
    await using service = await serve(raw("", 429, { "retry-after": header }));
    const error = await read(service.url, 5000);
    expect(error).toMatchObject({ code: "UPSTREAM_RATE_LIMITED", retryAfter: expect.any(Number) });
    expect(service.asked.length).toBe(requests);
  });

  it("is not sent earlier", async () => {
    const { ask } = heldSender((attempt) => (attempt === 1 ? respond(429, "1") : respond(200)));
    const begun = performance.now();
    expect(await ask().outcome).toMatchObject({ status: 200 });
    expect(performance.now() - begun).toBeGreaterThanOrEqual(999);
  });
});
