import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { createLogger } from "../../src/logger.ts";
import type { CreateTaskOutcome, CreateTaskRequest } from "../../src/upstream/upstream.ts";
import { createRequest, createTask, type Answer, type Double } from "./service.ts";
import { callLogQuery, emptyPage, json, raw, serve, serveBytes, upstreamAt } from "./service.ts";

interface Sent {
  outcome: CreateTaskOutcome;
  /** How many creations reached the service. */
  count: number;
}

/** Waits until the creation is completely over, so that a second request would have been noticed. */
async function sendTo(service: Double, timeoutMs = 20_000): Promise<Sent> {
  await using open = service;
  const upstream = upstreamAt(open.url, { timeoutMs });
  const outcome = await createTask(upstream);
  await upstream[Symbol.asyncDispose]();
  return { outcome, count: open.asked.length };
}

async function sentAs(request: CreateTaskRequest): Promise<string> {
  await using service = await serve(raw(""));
  await using upstream = upstreamAt(service.url);
  await createTask(upstream, request);
  return service.asked[0]?.body ?? "";
}

describe("createTask", () => {
  it("writes the documented names, and no override that is not given", async () => {
    expect(JSON.parse(await sentAs(createRequest()))).toEqual({
      name: "November",
      assistantId: 4,
      option: {
        numberFileMeta: { 号码: 0, 姓名: 1, 性别: 2, 销售姓名: 3 },
        numbers: [11],
        startTime: [["09:00", "12:00"]],
        startDate: "2026-11-20",
        retryCount: 2,
        retryInterval: 60,
      },
      numbers: [{ number: "+8613900000001" }],
    });
  });

  it("writes overrides and variables", async () => {
    const globalConfig = { welcome: "Hello", prompt: null, language: "jp" } as const;
    const extra = JSON.parse('{"名":"Ada","__proto__":{"a":1},"n":1.5}') as Record<string, unknown>;
    const body = await sentAs(
      createRequest({
        assistantOverride: { globalConfig, speakerId: "9" },
        numbers: [{ number: "1", extra }],
      }),
    );
    expect(body).toContain('"assistantOverride":{"globalConfig":{"welcome":"Hello","language":"jp"},"speakerId":9}');
    expect(body).toContain('"numbers":[{"number":"1","extra":{"名":"Ada","__proto__":{"a":1},"n":1.5}}]');
  });

  it.each([
    { globalConfig: null, speakerId: null },
    { globalConfig: { welcome: null, prompt: null, language: null }, speakerId: null },
  ])("writes no empty override: %j", async (assistantOverride) => {
    expect(await sentAs(createRequest({ assistantOverride }))).not.toContain("assistantOverride");
  });

  it("writes ids beyond 2^53 as exact integers", async () => {
    const { option } = createRequest();
    const body = await sentAs(
      createRequest({
        assistantId: "9007199254740993123",
        assistantOverride: { globalConfig: null, speakerId: "9007199254740993124" },
        option: { ...option, lineIds: ["9007199254740993125", "12"] },
      }),
    );
    expect(body).toContain('"assistantId":9007199254740993123,');
    expect(body).toContain('"speakerId":9007199254740993124}');
    expect(body).toContain('"numbers":[9007199254740993125,12]');
  });

  it("sends nothing for an id that is not decimal", async () => {
    await using service = await serve(raw(""));
    await using upstream = upstreamAt(service.url);
    await expect(createTask(upstream, { assistantId: "4,5" })).rejects.toThrow(TypeError);
    expect(service.asked).toEqual([]);
  });

  it("sends JSON with the token on a connection that is not reused", async () => {
    const ports: (number | undefined)[] = [];
    await using service = await serve((response, asked, request) => {
      ports.push(request.socket.remotePort);
      (asked.method === "GET" ? json(emptyPage) : raw(""))(response, asked, request);
    });
    await using upstream = upstreamAt(`${service.url}/base/`);
    await upstream.listCallLogs(callLogQuery());
    await createTask(upstream);
    await createTask(upstream);
    expect(new Set(ports).size).toBe(3);
    expect(service.asked[1]).toMatchObject({
      method: "POST",
      target: "/base/openapi/tasks",
      headers: {
        authorization: "Bearer the-token",
        "content-type": "application/json",
        connection: "close",
      },
    });
  });
});

describe("createTask after a 2xx", () => {
  it.each([
    ["that is empty", raw("")],
    ["that is absent, for 204", raw("", 204)],
    ["that is empty, for 201", raw("", 201)],
    ["of JSON", json({ id: 1 })],
    ["of HTML", raw("<html>")],
    ["of a million bytes", raw("x".repeat(1_000_000))],
    [
      "that is cut off",
      (response) => response.writeHead(200, { "content-length": 9 }).write("x", () => response.destroy()),
    ],
  ] satisfies [string, Answer][])("is accepted with a body %s", async (_name, answer) => {
    expect(await sendTo(await serve(answer))).toEqual({ outcome: { kind: "accepted" }, count: 1 });
  });

  it("resolves before the body has arrived", async () => {
    await using service = await serve((response) => void response.writeHead(200).write("x"));
    await using upstream = upstreamAt(service.url, { timeoutMs: 2_000 });
    expect(await createTask(upstream)).toEqual({ kind: "accepted" });
  });
});

describe("createTask after a 4xx", () => {
  it.each([400, 401, 403, 404, 409, 413, 422])("says that nothing was created after %i", async (status) => {
    const sent = await sendTo(await serve(json({ msg: "hidden" }, status)));
    expect(sent).toEqual({ outcome: { kind: "rejected", status }, count: 1 });
  });

  it("is unavailable after 429, with the seconds of Retry-After", async () => {
    const result = await sendTo(await serve(raw("", 429, { "retry-after": "7" })));
    expect(result).toEqual({ outcome: { kind: "unavailable", retryAfter: 7 }, count: 1 });
    const untold = await sendTo(await serve(raw("", 429)));
    expect(untold).toEqual({ outcome: { kind: "unavailable", retryAfter: undefined }, count: 1 });
  });
});

describe("createTask before anything was sent", () => {
  const unavailable = { kind: "unavailable", retryAfter: undefined };

  async function outcomeAt(url: string, timeoutMs = 20_000): Promise<CreateTaskOutcome> {
    await using upstream = upstreamAt(url, { timeoutMs });
    return await createTask(upstream);
  }

  it("is unavailable if no server listens", async () => {
    const service = await serve(raw(""));
    await service[Symbol.asyncDispose]();
    expect(await outcomeAt(service.url)).toEqual(unavailable);
  });

  it("is unavailable if the host name is unknown", async () => {
    expect(await outcomeAt("http://nowhere.invalid")).toEqual(unavailable);
  });

  it("is unavailable if the TLS handshake fails", async () => {
    await using plain = await serve(raw(""));
    expect(await outcomeAt(plain.url.replace("http:", "https:"))).toEqual(unavailable);
    await using resets = await serveBytes((socket) => socket.resetAndDestroy());
    expect(await outcomeAt(resets.url.replace("http:", "https:"))).toEqual(unavailable);
    await using silent = await serveBytes(() => undefined);
    expect(await outcomeAt(silent.url.replace("http:", "https:"), 50)).toEqual(unavailable);
  });
});

describe("createTask without a clear answer", () => {
  const unconfirmed = { outcome: { kind: "unconfirmed" }, count: 1 };

  it.each([300, 301, 302, 307, 308, 408, 499, 500, 502, 503, 504])(
    "is unconfirmed after %i, and is not sent again",
    async (status) => {
      await using elsewhere = await serve(raw(""));
      const answer = raw("", status, { location: `${elsewhere.url}/openapi/tasks`, "retry-after": "0" });
      expect(await sendTo(await serve(answer))).toEqual(unconfirmed);
      expect(elsewhere.asked).toEqual([]);
    },
  );

  it("is unconfirmed without an answer within the deadline", async () => {
    expect(await sendTo(await serve(() => undefined), 1_000)).toEqual(unconfirmed);
  });

  it.each([
    ["a connection that is closed", (socket: Socket) => void socket.end()],
    ["a connection that is reset", (socket: Socket) => void socket.resetAndDestroy()],
    ["a head that is cut off", (socket: Socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-le")],
    ["a head that stalls", (socket: Socket) => void socket.write("HTTP/1.1 200 OK\r\n")],
    ["an answer that is not HTTP", (socket: Socket) => void socket.end("SMTP\r\n\r\n")],
  ])("is unconfirmed after %s", async (_name, react) => {
    expect(await sendTo(await serveBytes(react), 1_000)).toEqual(unconfirmed);
  });

  it("is unconfirmed after a reset before the whole body was read", async () => {
    let connections = 0;
    const service = await serveBytes((socket) => {
      connections += 1;
      socket.pause();
      socket.resetAndDestroy();
    });
    await using open = service;
    await using upstream = upstreamAt(open.url);
    const numbers = Array.from({ length: 100_000 }, (_, at) => ({ number: String(at), extra: null }));
    expect(await createTask(upstream, { numbers })).toEqual({ kind: "unconfirmed" });
    expect(connections).toBe(1);
  });
});

describe("a task creation in flight", () => {
  it("delays the stop of the gateway until its outcome is known", async () => {
    const asked = Promise.withResolvers<() => void>();
    await using service = await serve((response) => asked.resolve(() => response.end()));
    const upstream = upstreamAt(service.url);
    const order: string[] = [];
    const creation = createTask(upstream).then(({ kind }) => order.push(kind));
    const answer = await asked.promise;
    const stopped = upstream[Symbol.asyncDispose]().then(() => order.push("stopped"));
    answer();
    await Promise.all([creation, stopped]);
    expect(order).toEqual(["accepted", "stopped"]);
  });
});

describe("a task that was not accepted", () => {
  it.each([400, 500])("is logged after %i without its body or the service's text", async (status) => {
    const lines: string[] = [];
    await using service = await serve(json({ msg: "hidden" }, status));
    await using upstream = upstreamAt(service.url, {
      log: createLogger({ level: "info", secrets: [], write: (line) => void lines.push(line) }),
    });
    await createTask(upstream, { name: "hidden" });
    expect(lines.length).toBe(1);
    expect(lines[0]).toContain(status === 400 ? "rejected" : "unconfirmed");
    expect(lines[0]).toContain(`status ${status}`);
    expect(lines[0]).not.toMatch(/hidden|139|the-token/);
  });
});
