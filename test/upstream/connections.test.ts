import { createServer, type Socket } from "node:net";
import { setTimeout as nextTimer } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createRequester } from "../../src/upstream/requester.ts";
import { fixedToken } from "../../src/upstream/serviceToken.ts";
import { createTransport } from "../../src/upstream/transport.ts";
import { startFakeService } from "../support/fakeService.ts";
import { until } from "../support/until.ts";
import { callLogQuery, emptyPage, json, raw, serve, serveBytes, upstreamAt, type Answer } from "./service.ts";

const page = (total: number) => JSON.stringify({ ...emptyPage, total });
const response = (body: string) =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** A service that counts its connections. */
async function counted(answer: Answer) {
  const sockets = new Set<unknown>();
  const service = await serve((reply, asked, request) => {
    sockets.add(request.socket);
    answer(reply, asked, request);
  });
  return { service, connections: () => sockets.size };
}

async function askTwice(answer: Answer): Promise<number> {
  const { service, connections } = await counted(answer);
  await using _ = service;
  await using upstream = upstreamAt(service.url);
  for (const _time of [1, 2]) await upstream.listCallLogs(callLogQuery());
  return connections();
}

describe("a connection", () => {
  it("is used for later requests", async () => {
    expect(await askTwice(json(emptyPage))).toBe(1);
  });

  it.each<[string, Record<string, string>]>([
    ["the response closes it", { connection: "close" }],
    ["the service promises to keep it no longer than two seconds", { "keep-alive": "timeout=2" }],
  ])("is not used again if %s", async (_name, headers) => {
    expect(await askTwice(raw(page(0), 200, headers))).toBe(2);
  });

  it("is as many as there are requests at once, and the last one is used first", async () => {
    const held: (() => void)[] = [];
    const { service, connections } = await counted((reply, asked, request) => {
      held.push(() => json(emptyPage)(reply, asked, request));
    });
    await using _ = service;
    await using upstream = upstreamAt(service.url);
    const three = [1, 2, 3].map((pageIndex) => upstream.listCallLogs(callLogQuery({ pageIndex })));
    await until(() => held.length === 3);
    for (const answer of held.splice(0)) answer();
    await Promise.all(three);
    for (const _time of [1, 2, 3]) {
      const later = upstream.listCallLogs(callLogQuery());
      await until(() => held.length === 1);
      held.pop()?.();
      await later;
    }
    expect(connections()).toBe(3);
  });

  it("is closed by unasked bytes, even if they have not been read when the next request comes", async () => {
    const sockets: Socket[] = [];
    await using service = await serveBytes((socket) => {
      socket.write(response(page(sockets.push(socket))));
    });
    await using upstream = upstreamAt(service.url);
    expect(await upstream.listCallLogs(callLogQuery())).toMatchObject({ total: 1 });
    // After a timer, the event loop reads the sockets before it runs immediates.
    await nextTimer(1);
    sockets[0]?.write(response(page(999)));
    expect(await upstream.listCallLogs(callLogQuery())).toMatchObject({ total: 2 });
  });

  it("is closed after its last response, even if the service leaves it open", async () => {
    const closed = Promise.withResolvers<void>();
    await using service = await serveBytes((socket) => {
      socket.on("close", () => closed.resolve());
      socket.write(response(page(1)).replace("\r\n", "\r\nconnection: close\r\n"));
    });
    await using upstream = upstreamAt(service.url);
    expect(await upstream.listCallLogs(callLogQuery())).toMatchObject({ total: 1 });
    await closed.promise;
  });

  it("is replaced at once by a new one if the service closed it before its second response", async () => {
    let [connections, requests] = [0, 0];
    const server = createServer((socket) => {
      const total = (connections += 1);
      socket.once("data", () => {
        requests += 1;
        socket.write(response(page(total)));
        socket.once("data", () => {
          requests += 1;
          socket.resetAndDestroy();
        });
      });
    });
    await using service = await startFakeService(server);
    await using upstream = upstreamAt(service.url);
    let paid = 0;
    const requester = createRequester({ payRateLimit: () => void (paid += 1) });
    for (const total of [1, 2]) expect(await upstream.listCallLogs(callLogQuery(), requester)).toMatchObject({ total });
    expect({ requests, paid, retries: upstream.status().retries }).toEqual({ requests: 3, paid: 3, retries: 0 });
  });

  it("is not replaced if it is new and closed before its first response", async () => {
    let connections = 0;
    await using service = await serveBytes((socket) => {
      connections += 1;
      socket.resetAndDestroy();
    });
    await using upstream = upstreamAt(service.url);
    await expect(upstream.listCallLogs(callLogQuery())).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    // The first and two retries.
    expect(connections).toBe(3);
  });

  it("serves no other request after a response that came twice", async () => {
    let answered = 0;
    await using service = await serveBytes((socket) => {
      answered += 1;
      socket.write(response(page(answered)).repeat(2));
    });
    await using upstream = upstreamAt(service.url);
    for (const total of [1, 2]) expect(await upstream.listCallLogs(callLogQuery())).toMatchObject({ total });
  });
});

describe("the text of a request", () => {
  const endpoint = (url: string, token = "the-token") => ({ url, token: fixedToken(token), timeoutMs: 1000 });

  it("has the base address's path and port, the token, and nothing else of the client", async () => {
    await using service = await serve(json(emptyPage));
    await using upstream = upstreamAt(`${service.url}/base/`);
    await upstream.getTask("7").catch(() => undefined);
    expect(service.asked).toMatchObject([{ method: "GET", target: "/base/openapi/tasks/7", body: "" }]);
    expect(service.asked[0]?.headers).toEqual({
      host: new URL(service.url).host,
      connection: "keep-alive",
      authorization: "Bearer the-token",
      accept: "application/json",
      "accept-encoding": "identity",
    });
  });

  it.each(["/a b", "/a\r\nx: y", "/é", "/\u0000"])("is never sent with the unsafe path %j", async (path) => {
    await using service = await serve(json(emptyPage));
    await using transport = createTransport(endpoint(service.url));
    const outcome = await new Promise((resolve) =>
      transport.send(path, {
        traceparent: null,
        onlyNew: false,
        onStale: () => undefined,
        onOutcome: resolve,
        onFree: () => undefined,
      }),
    );
    expect(outcome).toBeInstanceOf(TypeError);
    expect(service.asked).toEqual([]);
  });

  it("is refused with a token that would begin another header", () => {
    expect(() => createTransport(endpoint("http://127.0.0.1", "a\r\nx: y"))).toThrow(TypeError);
  });
});
