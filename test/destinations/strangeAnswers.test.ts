// Receivers that answer as servers seldom do, or break connections.
import { createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHttpSender, type SenderOptions } from "../../src/destinations/httpSender.ts";
import { createHostRules } from "../../src/upstream/outside/hostRules.ts";
import { startFakeService } from "../support/fakeService.ts";
import { until } from "../support/until.ts";
import { startReceiver, status } from "./receiver.ts";

const LIMITS = { connectMs: 60_000, answerMs: 60_000, bodyMs: 60_000, bodyBytes: 4096 };

interface Seen {
  connections: number;
  messages: number;
}

/** A server of TCP. `answer` is called with each whole message, with how many there were of this connection. */
async function startRaw(answer: (socket: Socket, ofConnection: number, seen: Seen) => void) {
  const seen = { connections: 0, messages: 0 };
  const server = createServer((socket) => {
    seen.connections += 1;
    let [text, count] = ["", 0];
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      if (!text.endsWith("{}")) return;
      [text, count] = ["", count + 1];
      seen.messages += 1;
      answer(socket, count, seen);
    });
  });
  const { port, ...service } = await startFakeService(server);
  onTestFinished(() => service[Symbol.asyncDispose]());
  return { port, seen };
}

function senderTo(port: number, own: Partial<SenderOptions> = {}) {
  const rules = createHostRules([{ host: "127.0.0.1", port }], [], "DESTINATION_HOSTS");
  const sender = createHttpSender({ rules, limits: LIMITS, ...own });
  onTestFinished(() => sender[Symbol.asyncDispose]());
  return (body = "{}") =>
    sender.send({ url: `http://127.0.0.1:${port}/hook`, headers: {}, body }, new AbortController().signal);
}
const TAKEN = { outcome: "taken", status: 200 };
const OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

describe("A message to a receiver", () => {
  it.each([
    // A drip of hints reached no limit of any single wait: https://github.com/hahwul/gori/pull/741
    ["a hundred hints before the answer", `${"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(100)}${OK}`, 200],
    ["102 before the answer", `HTTP/1.1 102 Processing\r\n\r\n${OK}`, 200],
    ["204 with a body", "HTTP/1.1 204 No Content\r\n\r\nbut some text", 204],
    ["a body after a length of none", `${OK}surplus`, 200],
    ["another answer that nobody asked for", `${OK}HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n`, 200],
    ["no reason beside its status", "HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n", 200],
  ])("is taken with %s, and so is the next one", async (_, said, code) => {
    const { port } = await startRaw((socket) => void socket.write(said));
    const send = senderTo(port);
    for (let at = 0; at < 3; at += 1) expect(await send()).toEqual({ outcome: "taken", status: code });
  });

  it.each([
    ["HTTP/1.0 without a length", "HTTP/1.0 200 OK\r\n\r\nthanks"],
    ["`Connection: close`", "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"],
    ["less of a body than it says", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nthanks"],
    ["chunks that break off", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nthanks"],
    // Every second message failed: https://github.com/nodejs/undici/issues/1415
    ["a length, and the connection's end unannounced", OK],
  ])("is taken where each answer has %s and closes the connection", async (_, said) => {
    const { port, seen } = await startRaw((socket) => void socket.end(said));
    const send = senderTo(port);
    for (let at = 0; at < 3; at += 1) expect(await send()).toEqual(TAKEN);
    expect(seen).toEqual({ connections: 3, messages: 3 });
  });

  // https://github.com/nodejs/undici/issues/3492, https://github.com/denoland/deno/pull/31932
  it.each(["end", "resetAndDestroy"] as const)(
    "that meets a kept connection which the receiver is closing (%s) is sent by a new one, without a failure",
    async (close) => {
      const { port, seen } = await startRaw((socket, ofConnection) =>
        ofConnection === 1 ? void socket.write(OK) : void socket[close](),
      );
      const send = senderTo(port);
      let sent = 0;
      // So many that some meet a connection that was used before.
      do expect(await send()).toEqual(TAKEN);
      while ((sent += 1) === seen.messages || sent < 10);
      expect(seen.messages).toBeGreaterThan(sent);
    },
  );

  it("is sent by a new connection where several meet kept ones that the receiver closes, and others open more", async () => {
    let isClosing = false;
    const { port, seen } = await startRaw((socket, ofConnection) => {
      if (isClosing && ofConnection > 1) socket.destroy();
      else setImmediate(() => socket.write(OK));
    });
    const send = senderTo(port);
    for (let round = 0; round < 10; round += 1) {
      isClosing = false;
      const kept = await Promise.all([send(), send()]);
      isClosing = true;
      const made = await Promise.all([send(), send(), send()]);
      expect([...kept, ...made]).toEqual([TAKEN, TAKEN, TAKEN, TAKEN, TAKEN]);
    }
    expect(seen.messages).toBeGreaterThan(50);
  });

  it("is sent once by a new connection that the receiver closes, and twice at most", async () => {
    let isClosing = false;
    const { port, seen } = await startRaw((socket) => void (isClosing ? socket.destroy() : socket.write(OK)));
    const send = senderTo(port);
    for (let at = 0; at < 10; at += 1) expect(await send()).toEqual(TAKEN);
    isClosing = true;
    const counts: number[] = [];
    while (counts.at(-1) !== 1) {
      const before = seen.messages;
      expect(await send()).toMatchObject({ outcome: "failed", status: null });
      counts.push(seen.messages - before);
    }
    expect(counts[0]).toBe(2);
    expect(counts.slice(0, -1).every((count) => count === 2)).toBe(true);
  });

  // The status was lost: https://github.com/nodejs/node/issues/54366
  it("of which the receiver reads the beginning alone has its answer as the last one", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => {
        socket.pause();
        socket.write("HTTP/1.1 413 Content Too Large\r\nconnection: close\r\ncontent-length: 5\r\n\r\nlarge");
      });
    });
    await using service = await startFakeService(server);
    expect(await senderTo(service.port)("x".repeat(20_000_000))).toMatchObject({ status: 413, text: "large" });
  });

  it("fails in a bounded time where the receiver does not read it", async () => {
    const server = createServer((socket) => void socket.on("error", () => undefined).pause());
    await using service = await startFakeService(server);
    const send = senderTo(service.port, { limits: { ...LIMITS, answerMs: 500 } });
    expect(await send("x".repeat(20_000_000))).toMatchObject({ text: "There was no answer in time.", status: null });
  });

  it("fails where the receiver speaks HTTP/2 alone", async () => {
    const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
    const { port } = await startRaw((socket) => void socket.end(settings));
    expect(await senderTo(port)()).toMatchObject({ outcome: "failed", status: null });
  });

  it("whose answer is compressed shows no bytes of it, and none is unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const { host } = await startReceiver((_, response) => {
      response.writeHead(500, { "content-encoding": "gzip" }).end(bomb);
    });
    expect(await senderTo(Number(host.split(":")[1]))()).toMatchObject({ status: 500, text: null });
  });

  // A redirected POST became a GET without a body, which a page answers with 200: https://github.com/formancehq/ledger/pull/1990,
  // and people looked for what was wrong with their receiver: https://github.com/polarsource/polar/issues/7760
  it.each([301, 302, 303, 307, 308])("is not taken by a redirect with %i, wherever it leads", async (code) => {
    const { host } = await startReceiver(status(code, { location: "https://crm.example/hook" }, "moved"));
    const made = await senderTo(Number(host.split(":")[1]))();
    const text = "Redirects are not followed: the url must be the address that answers.";
    expect(made).toEqual({ outcome: "failed", status: code, text, retryAfterMs: null, isOwn: false });
  });

  it.each([400, 401, 404, 451, 500, 599, 999])("may be tried again after %i", async (code) => {
    const { port } = await startRaw((socket) => void socket.write(OK.replace("200 OK", `${code} No`)));
    expect(await senderTo(port)()).toMatchObject({ outcome: "failed", status: code });
  });

  it("that is under way when the gateway stops ends, also while it is sent by a new connection", async () => {
    let mode: "answer" | "close" | "wait" = "answer";
    let waiting = 0;
    const { port } = await startRaw((socket) => {
      if (mode === "answer") socket.write(OK);
      else if (mode === "wait") waiting += 1;
      else {
        mode = "wait";
        socket.destroy();
      }
    });
    const rules = createHostRules([{ host: "127.0.0.1", port }], [], "DESTINATION_HOSTS");
    const sender = createHttpSender({ rules, limits: LIMITS });
    onTestFinished(() => sender[Symbol.asyncDispose]());
    const message = { url: `http://127.0.0.1:${port}/hook`, headers: {}, body: "{}" };
    for (let at = 0; at < 10; at += 1) expect(await sender.send(message, new AbortController().signal)).toEqual(TAKEN);
    mode = "close";
    const stop = new AbortController();
    const underWay = sender.send(message, stop.signal);
    await until(() => waiting === 1);
    stop.abort(new Error("stopped"));
    await expect(underWay).rejects.toThrow("stopped");
  });
});
