import { describe, expect, it } from "vitest";
import { createCancellation, cancel } from "../../src/upstream/cancellation.ts";
import { CodedError } from "../../src/errors.ts";
import type { ServiceResponse } from "../../src/upstream/serviceResponse.ts";
import { createRetry } from "../../src/upstream/retry.ts";
import type { OutgoingRequest } from "../../src/upstream/transport.ts";
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

const bad = (status: number): ServiceResponse => ({ status, retryAfter: undefined, text: "" });
const good: ServiceResponse = { status: 200, retryAfter: undefined, text: "{}" };

/** A service with a sequence of responses, and a clock that the pauses do not advance. */
function scripted(answers: (ServiceResponse | Error)[], now = () => performance.now()) {
  let asked = 0;
  const retry = createRetry(
    async (_path, sending) => {
      sending.attempts += 1;
      asked += 1;
      const answer = answers[Math.min(asked, answers.length) - 1] as ServiceResponse | Error;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    { now, random: () => 0 },
  );
  return { ...retry, asked: () => asked };
}

function sending(own: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return {
    cancellation: createCancellation(),
    deadlineAt: performance.now() + 10_000,
    attempts: 0,
    beforeSend: async () => undefined,
    ...own,
  };
}

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
    expect(await read(silent.url, 50)).toMatchObject({ code: "UPSTREAM_TIMEOUT" });
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
      const { send, asked, retries } = scripted([bad(503)]);
      await Promise.allSettled(Array.from({ length: requests }, () => send("/", sending())));
      expect(retries()).toBe(Math.min(2 * requests, Math.floor(0.2 * requests + 10)));
      expect(asked()).toBe(requests + retries());
    },
  );

  it("covers the last ten seconds, so ten retries are always left in quiet times", async () => {
    let now = 0;
    const { send, retries } = scripted([bad(503)], () => now);
    const twenty = () => Promise.all(Array.from({ length: 20 }, () => send("/", sending({ deadlineAt: Infinity }))));
    await twenty();
    expect(retries()).toBe(14);
    now = 60_000;
    await twenty();
    expect(retries()).toBe(28);
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
    const { send } = scripted([{ ...bad(429), retryAfter: "1" }, good]);
    const begun = performance.now();
    expect(await send("/", sending())).toBe(good);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(999);
  });
});

describe("a caller that leaves during the pause before a retry", () => {
  it("ends the pause", async () => {
    const ending = createCancellation();
    const { send, asked } = scripted([{ ...bad(503), retryAfter: "9" }]);
    const answer = send("/", sending({ cancellation: ending }));
    cancel(ending, new CodedError("INTERNAL", "left"));
    await expect(answer.then(({ status }) => Promise.reject(new Error(String(status))))).rejects.toThrow();
    expect(asked()).toBe(1);
  });
});
