import { once } from "node:events";
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createRequester } from "../../src/upstream/requester.ts";
import { retryAfterSeconds } from "../../src/upstream/serviceResponse.ts";
import { callLogQuery, emptyPage, json, raw, serve, serveBytes, upstreamAt, type Answer } from "./service.ts";

const PAGE = JSON.stringify(emptyPage);
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

async function failureAt(url: string, options: Parameters<typeof upstreamAt>[1] = {}): Promise<unknown> {
  await using upstream = upstreamAt(url, options);
  return await upstream.listCallLogs(callLogQuery()).catch((error: unknown) => error);
}

async function failureOf(answer: Answer, timeoutMs?: number): Promise<unknown> {
  await using service = await serve(answer);
  return await failureAt(service.url, timeoutMs === undefined ? {} : { timeoutMs });
}

async function failureOfBytes(react: (socket: Socket) => void, timeoutMs?: number): Promise<unknown> {
  await using service = await serveBytes(react);
  return await failureAt(service.url, timeoutMs === undefined ? {} : { timeoutMs });
}

// Together, because a status that is tried again takes seconds.
describe.concurrent("a status of the service", () => {
  it.each([
    [500, "UPSTREAM_UNAVAILABLE", true],
    [503, "UPSTREAM_UNAVAILABLE", true],
    [599, "UPSTREAM_UNAVAILABLE", true],
    [429, "UPSTREAM_RATE_LIMITED", true],
    [400, "UPSTREAM_REJECTED", false],
    [401, "UPSTREAM_REJECTED", false],
    [404, "UPSTREAM_REJECTED", false],
    [408, "UPSTREAM_REJECTED", false],
    [300, "UPSTREAM_CONTRACT", false],
    [304, "UPSTREAM_CONTRACT", false],
  ])("%i becomes %s, without the service's text", async (status, code, retryable) => {
    const error = await failureOf(json({ msg: "hidden" }, status));
    expect(error).toMatchObject({ code, retryable, retryAfter: undefined });
    expect(String(error)).not.toContain("hidden");
  });
});

describe.concurrent("retryAfterSeconds", () => {
  it.each([
    ["7", 7],
    ["0", 0],
    ["999999999999", 3600],
    ["soon", undefined],
    ["-5", undefined],
    ["3.5", 4],
    ["", undefined],
  ])("reads %j as %s seconds", async (header, retryAfter) => {
    expect(await failureOf(raw("", 429, { "retry-after": header }))).toMatchObject({
      code: "UPSTREAM_RATE_LIMITED",
      retryAfter,
    });
  });

  it("reads a date, which may be past", () => {
    const inAMinute = retryAfterSeconds(new Date(Date.now() + 60_000).toUTCString());
    expect(inAMinute).toBeGreaterThan(30);
    expect(inAMinute).toBeLessThanOrEqual(60);
    expect(retryAfterSeconds("Fri, 20 Nov 2015 09:30:00 GMT")).toBe(0);
    expect(retryAfterSeconds("Fri, 20 Nov 2999 09:30:00 GMT")).toBe(3600);
    expect(retryAfterSeconds("hidden GMT")).toBeUndefined();
  });
});

describe("a service that cannot be reached", () => {
  it("is unavailable if no server listens", async () => {
    const service = await serve(json(emptyPage));
    await service[Symbol.asyncDispose]();
    expect(await failureAt(service.url)).toMatchObject({ code: "UPSTREAM_UNAVAILABLE", retryable: true });
  });

  it("is unavailable if its host name is unknown", async () => {
    expect(await failureAt("http://nowhere.invalid")).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  it("is unavailable if it does not speak TLS", async () => {
    await using service = await serve(json(emptyPage));
    expect(await failureAt(service.url.replace("http:", "https:"))).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    expect(service.asked).toEqual([]);
  });

  it("is unavailable if it closes or resets the connection at once", async () => {
    expect(await failureOfBytes((socket) => socket.end())).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    expect(await failureOfBytes((socket) => socket.resetAndDestroy())).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  it.each([
    ["of known length", `${HEAD}content-length: 100\r\n\r\n{"items":`],
    [
      "of known length, on a connection that is not kept",
      `${HEAD}connection: close\r\ncontent-length: 100\r\n\r\n{"it`,
    ],
    ["in chunks", `${HEAD}transfer-encoding: chunked\r\n\r\n9\r\n{"items":\r\n`],
  ])("is unavailable if it cuts the connection in a body %s", async (_name, bytes) => {
    expect(await failureOfBytes((socket) => socket.end(bytes))).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    const reset = (socket: Socket) => socket.write(bytes, () => setImmediate(() => socket.resetAndDestroy()));
    expect(await failureOfBytes(reset)).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });
});

describe("a response that breaks the contract", () => {
  it("is too large, with or without a Content-Length", async () => {
    const chunk = Buffer.alloc(1024 * 1024, " ");
    const endless: Answer = (response) => {
      const more = () => !response.destroyed && response.write(chunk, () => setImmediate(more));
      more();
    };
    const withLength: Answer = (response, asked, request) => {
      response.writeHead(200, { "content-length": 2 ** 30 });
      endless(response, asked, request);
    };
    expect(await failureOf(endless)).toMatchObject({ code: "UPSTREAM_CONTRACT" });
    expect(await failureOf(withLength)).toMatchObject({ code: "UPSTREAM_CONTRACT" });
  });

  it("is not HTTP, and its bytes are kept nowhere", async () => {
    const error = await failureOfBytes((socket) => socket.end("SMTP hidden\r\n\r\n"));
    expect(error).toMatchObject({ code: "UPSTREAM_CONTRACT", cause: undefined });
  });

  it("is empty", async () => {
    expect(await failureOf(raw("", 204))).toMatchObject({ code: "UPSTREAM_CONTRACT" });
  });
});

describe("the deadline of a request", () => {
  const late = { code: "UPSTREAM_TIMEOUT", retryable: true };

  it("passes without an answer", async () => {
    expect(await failureOf(() => undefined, 50)).toMatchObject(late);
  });

  it("passes while the body stalls", async () => {
    const stalled: Answer = (response) => void response.writeHead(200, { "content-length": PAGE.length }).write("{");
    expect(await failureOf(stalled, 50)).toMatchObject(late);
  });

  it("passes while the body trickles, byte by byte", async () => {
    const trickle: Answer = (response) => {
      const timer = setInterval(() => response.write(" "), 10);
      response.on("close", () => clearInterval(timer));
    };
    expect(await failureOf(trickle, 100)).toMatchObject(late);
  });

  it("frees the connection", async () => {
    const closed = Promise.withResolvers<boolean>();
    const stalled: Answer = (response) => {
      response.on("close", () => closed.resolve(response.writableFinished));
      response.write("{");
    };
    await using service = await serve(stalled);
    await using upstream = upstreamAt(service.url, { timeoutMs: 1_000 });
    await expect(upstream.listCallLogs(callLogQuery())).rejects.toMatchObject(late);
    expect(await closed.promise).toBe(false);
  });

  it("does not wait for the body of an error response", async () => {
    const refusal: Answer = (response) => void response.writeHead(500).write("hidden");
    expect(await failureOf(refusal)).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });
});

describe("a caller that aborts", () => {
  it("gets its own reason, and the service sees the connection close", async () => {
    const reason = new Error("the client left");
    const caller = new AbortController();
    const closed = Promise.withResolvers<void>();
    await using service = await serve((response) => {
      response.on("close", () => closed.resolve());
      caller.abort(reason);
    });
    await using upstream = upstreamAt(service.url);
    await expect(upstream.listCallLogs(callLogQuery(), createRequester({ signal: caller.signal }))).rejects.toBe(
      reason,
    );
    await closed.promise;
  });

  it("gets its own reason in the middle of a body, and before anything is sent", async () => {
    const caller = new AbortController();
    await using service = await serve((response) => {
      response.write("{", () => caller.abort("left"));
    });
    await using upstream = upstreamAt(service.url);
    await expect(upstream.getTask("7", createRequester({ signal: caller.signal }))).rejects.toBe("left");
    await expect(upstream.getTask("7", createRequester({ signal: caller.signal }))).rejects.toBe("left");
    expect(service.asked.length).toBe(1);
  });
});

describe("A59: a redirect", () => {
  it.each([301, 302, 307, 308])("with %i is not followed, so the token reaches one address only", async (status) => {
    await using elsewhere = await serve(json(emptyPage));
    await using service = await serve(raw("", status, { location: `${elsewhere.url}/openapi/calllog` }));
    expect(await failureAt(service.url)).toMatchObject({ code: "UPSTREAM_CONTRACT" });
    expect(service.asked.length).toBe(1);
    expect(elsewhere.asked).toEqual([]);
  });
});

describe("disposing the client", () => {
  it("ends the GETs in flight", async () => {
    const asked = Promise.withResolvers<void>();
    await using service = await serve(() => asked.resolve());
    const upstream = upstreamAt(service.url);
    const read = upstream.listCallLogs(callLogQuery()).catch((error: unknown) => error);
    await asked.promise;
    await upstream[Symbol.asyncDispose]();
    expect(await read).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  });

  it("leaves no connection open", async () => {
    const closed = Promise.withResolvers<boolean>();
    await using service = await serve((response, asked, request) => {
      void once(request.socket, "close").then(() => closed.resolve(request.socket.destroyed));
      json(emptyPage)(response, asked, request);
    });
    const upstream = upstreamAt(service.url);
    await upstream.listCallLogs(callLogQuery());
    await upstream[Symbol.asyncDispose]();
    expect(await closed.promise).toBe(true);
  });
});
