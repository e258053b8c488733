import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { isTextDeeperThan } from "../../src/format/jsonDepth.ts";
import { callLogQuery, json, raw, serve, serveBytes, upstreamAt, type Answer } from "./service.ts";

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const GIGABYTE = 2 ** 30;

const page = (more: string) => `{"items":[],"total":0,"pageIndex":1,"pageSize":10,"more":${more}}`;
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

/** Writes without an end, as fast as the client reads. */
function pour(socket: Socket, chunk: string | Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
    if (!socket.destroyed) socket.once("drain", more);
  };
  more();
}

const spaces = Buffer.alloc(64 * 1024, " ");
const endless: [string, (socket: Socket) => void][] = [
  [
    "told beforehand",
    (socket) => socket.write(`${HEAD}content-length: ${GIGABYTE}\r\n\r\n`, () => pour(socket, spaces)),
  ],
  [
    "in chunks",
    (socket) =>
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`, () =>
        pour(socket, Buffer.concat([Buffer.from("10000\r\n"), spaces, Buffer.from("\r\n")])),
      ),
  ],
  ["until the connection ends", (socket) => socket.write(`${HEAD}\r\n`, () => pour(socket, spaces))],
  ["in its headers", (socket) => socket.write("HTTP/1.1 200 OK\r\n", () => pour(socket, "x-more: 1\r\n".repeat(4096)))],
  ["in an error response", (socket) => socket.write("HTTP/1.1 403 No\r\n\r\n", () => pour(socket, spaces))],
];

describe("A59: a response that breaks the service's document", () => {
  it.each<[string, Answer]>([
    ["an HTML page", raw("<html></html>", 200, { "content-type": "text/html" })],
    ["JSON with another Content-Type", raw(page("1"), 200, { "content-type": "text/plain" })],
    ["an unrequested compression", raw("\u001f\u008b", 200, { "content-encoding": "gzip" })],
    ["another encoding", (response) => response.writeHead(200).end(Buffer.from(page('"\u00e9"'), "latin1"))],
    ["null", raw("null")],
    ["an envelope", json({ code: 1, msg: "hidden" })],
    ["half an object", raw('{"items":[')],
    ["a list", raw("[]")],
    ["a long text, nested slightly too deep", raw(page(`["${"x".repeat(70_000)}",${nested(40)}]`))],
    ["a text nested a million levels deep", raw(page(nested(1_000_000)))],
  ])("is an error and is not cached: %s", async (_name, answer) => {
    await using service = await serve(answer);
    await using upstream = upstreamAt(service.url, { cacheMs: 60_000 });
    const read = () => upstream.listCallLogs(callLogQuery());
    await expect(read()).rejects.toMatchObject({ code: "UPSTREAM_CONTRACT", retryable: false });
    await expect(read()).rejects.not.toThrow("hidden");
    expect(service.asked.length).toBe(2);
  });

  it.each<[string, Answer]>([
    ["with parameters in its Content-Type", raw(page("1"), 200, { "content-type": "Application/JSON; charset=utf-8" })],
    ["of a media type with the suffix +json", raw(page("1"), 200, { "content-type": "application/problem+json" })],
    ["without a Content-Type", (response) => response.writeHead(200).end(page("1"))],
    ["after a byte order mark", raw(`\uFEFF${page("1")}`)],
    ["with deep nesting in an unused field", raw(page(nested(20)))],
    ["with deeper nesting in a short text", raw(page(nested(30_000)))],
    ["with brackets in strings", raw(page(JSON.stringify('\\"[{'.repeat(100))))],
  ])("reads JSON %s", async (_name, answer) => {
    await using service = await serve(answer);
    await using upstream = upstreamAt(service.url);
    expect(await upstream.listCallLogs(callLogQuery())).toMatchObject({ total: 0 });
  });
});

describe("A59: an endless response", () => {
  it.each(endless)("is cut off without memory growth: %s, twenty at once", async (_name, react) => {
    await using service = await serveBytes(react);
    await using upstream = upstreamAt(service.url);
    const before = process.memoryUsage().rss;
    const asked = Array.from({ length: 20 }, (_, at) => upstream.getTask(String(at + 1)));
    for (const { reason, status } of (await Promise.allSettled(asked)) as PromiseRejectedResult[]) {
      expect(status).toBe("rejected");
      expect(reason).toMatchObject({ code: expect.stringMatching(/^UPSTREAM_(CONTRACT|REJECTED)$/) });
    }
    // At most twenty responses of 16 MB are in memory; without the limit it would be a gigabyte for each.
    expect(process.memoryUsage().rss - before).toBeLessThan(900 * 1024 * 1024);
  });

  it("ends at its deadline if it trickles, and frees its connection", async () => {
    const closed = Promise.withResolvers<void>();
    await using service = await serveBytes((socket) => {
      socket.write(`${HEAD}content-length: 1000\r\n\r\n`);
      const drop = setInterval(() => socket.write(" "), 20);
      socket.on("close", () => {
        clearInterval(drop);
        closed.resolve();
      });
    });
    await using upstream = upstreamAt(service.url, { timeoutMs: 1000 });
    await expect(upstream.listCallLogs(callLogQuery())).rejects.toMatchObject({ code: "UPSTREAM_TIMEOUT" });
    await closed.promise;
    expect(service.asked.length).toBe(1);
  });
});

describe("a connection", () => {
  it("is used again after an error response with a body", async () => {
    const sockets = new Set<unknown>();
    await using service = await serve((response, asked, request) => {
      sockets.add(request.socket);
      raw("x".repeat(10_000), asked.target.endsWith("/1") ? 403 : 404)(response, asked, request);
    });
    await using upstream = upstreamAt(service.url, { concurrency: 1 });
    await upstream.getTask("1").catch(() => undefined);
    expect(await upstream.getTask("2")).toBeNull();
    expect(sockets.size).toBe(1);
    expect(upstream.status()).toMatchObject({ requests: 2, underWay: 0 });
  });
});

describe("the depth of a JSON text", () => {
  it.each([
    ["[]", 1],
    ['{"a":[{}]}', 3],
    ['"[[[["', 0],
    ['["\\"[[", "\\\\", [1]]', 2],
    ['["[[', 1],
    ["]]]]", 0],
  ])("is found without parsing it: %s has depth %i", (text, depth) => {
    expect(isTextDeeperThan(depth, text)).toBe(false);
    if (depth > 0) expect(isTextDeeperThan(depth - 1, text)).toBe(true);
  });
});
