// What receivers answer, and where messages must not go.
import { createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHttpSender, type SenderOptions } from "../../src/destinations/httpSender.ts";
import { createHostRules } from "../../src/upstream/outside/hostRules.ts";
import { startFakeService } from "../support/fakeService.ts";
import { startReceiver, status } from "./receiver.ts";

const LIMITS = { connectMs: 60_000, answerMs: 60_000, bodyMs: 60_000, bodyBytes: 4096 };

function sender(hosts: string[], own: Partial<SenderOptions> = {}) {
  const rules = createHostRules(
    hosts.map((host) => ({ host: host.split(":")[0] ?? "", port: Number(host.split(":")[1]) })),
    [],
    "DESTINATION_HOSTS",
  );
  const made = createHttpSender({ rules, limits: LIMITS, ...own });
  onTestFinished(() => made[Symbol.asyncDispose]());
  return (url: string) => made.send({ url, headers: {}, body: "{}" }, new AbortController().signal);
}

describe("A message to a receiver", () => {
  it.each([200, 201, 202, 204, 299])("is taken with %i", async (code) => {
    const { url, host } = await startReceiver(status(code));
    expect(await sender([host])(url)).toEqual({ outcome: "taken", status: code });
  });

  it("ends the destination with 410", async () => {
    const { url, host } = await startReceiver(status(410, {}, "no more"));
    expect(await sender([host])(url)).toEqual({ outcome: "gone", status: 410, text: "no more" });
  });

  it.each([
    ["120", 120_000],
    ["0", 0],
    // github.com/carloluisito/omnidesk/pull/146: a timer that is too long ended at once.
    ["9999999999999", 3_600_000],
    [new Date(Date.now() + 86_400_000).toUTCString(), 3_600_000],
    ["Wed, 21 Oct 2015 07:28:00 GMT", 0],
    ["soon", null],
    ["-5", null],
  ])("that is refused with Retry-After: %s waits as long, at most an hour", async (header, retryAfterMs) => {
    const { url, host } = await startReceiver(status(429, { "retry-after": header }));
    expect(await sender([host])(url)).toMatchObject({ outcome: "failed", status: 429, retryAfterMs });
  });

  // A name that was not found ended a message for good: https://github.com/hookdeck/outpost/issues/314
  it.each(["ENOTFOUND", "EAI_AGAIN"])("to a name that is not found now (%s) may be tried again", async (code) => {
    const resolve: SenderOptions["resolve"] = (_, done) => done(Object.assign(new Error("no name"), { code }), []);
    const send = createHttpSender({ rules: createHostRules(null, [], "DESTINATION_HOSTS"), resolve });
    onTestFinished(() => send[Symbol.asyncDispose]());
    const message = { url: "https://crm.example/hook", headers: {}, body: "" };
    const found = await send.send(message, new AbortController().signal);
    expect(found).toEqual({
      outcome: "failed",
      status: null,
      text: `The receiver could not be reached (${code}).`,
      retryAfterMs: null,
      isOwn: false,
    });
  });

  it("is not sent on by a redirect", async () => {
    const target = await startReceiver();
    const { url, host } = await startReceiver(status(307, { location: target.url }));
    expect(await sender([host, target.host])(url)).toMatchObject({ outcome: "failed", status: 307 });
    expect(target.messages).toEqual([]);
  });

  it("fails where the connection is cut or nobody listens, and tells only a code", async () => {
    const { url, host } = await startReceiver((_, response) => response.destroy());
    const cut = await sender([host])(`${url}?token=canary`);
    expect(cut).toMatchObject({ outcome: "failed", status: null });
    const closed = await sender(["127.0.0.1:9"])("http://127.0.0.1:9/canary");
    expect(closed).toMatchObject({ text: "The receiver could not be reached (ECONNREFUSED)." });
    expect(JSON.stringify([cut, closed])).not.toContain("canary");
  });

  it("fails where no answer comes in time", async () => {
    const { url, host } = await startReceiver(() => undefined);
    const send = sender([host], { limits: { ...LIMITS, answerMs: 50 } });
    expect(await send(url)).toMatchObject({ outcome: "failed", text: "There was no answer in time." });
  });

  it("is taken by its status though the body never ends, and keeps little of a large one", async () => {
    const endless = await startReceiver((_, response) => void response.writeHead(200).write("a"));
    const send = sender([endless.host], { limits: { ...LIMITS, bodyMs: 50 } });
    expect(await send(endless.url)).toEqual({ outcome: "taken", status: 200 });
    const large = await startReceiver(status(500, {}, "x".repeat(1_000_000)));
    const answer = await sender([large.host])(large.url);
    expect(answer).toMatchObject({ outcome: "failed", text: "x".repeat(LIMITS.bodyBytes) });
  });

  // Pages for debugging show the request: https://github.com/jestasecurity/thumper/issues/33
  it("shows nothing that lets others in where the receiver answers with what it was sent", async () => {
    const { url, host } = await startReceiver((message, response) => {
      const said = `Cannot POST ${decodeURIComponent(message.path)}, ${message.path.replaceAll("&", "&amp;")}: ${JSON.stringify(message.headers)}`;
      status(500, {}, said)(message, response, 0);
    });
    const rules = createHostRules([{ host: "127.0.0.1", port: Number(host.split(":")[1]) }], [], "DESTINATION_HOSTS");
    const made = createHttpSender({ rules, limits: LIMITS });
    onTestFinished(() => made[Symbol.asyncDispose]());
    const address = `${url}/services/canary-of-the-chat/?key=canary%2Bkey&canary-alone`;
    const headers = { authorization: "Bearer canary-bearer" };
    const answer = await made.send({ url: address, headers, body: "" }, new AbortController().signal);
    expect(JSON.stringify(answer)).not.toContain("canary");
    expect(answer).toMatchObject({ text: expect.stringContaining("Cannot POST /hook/services/***") as string });
  });

  it.each([
    ["interim answers without end", "HTTP/1.1 100 Continue\r\n\r\n", true],
    ["a header without end", "HTTP/1.1 200 OK\r\nx-a: ", false],
    ["a head that is larger than any", `HTTP/1.1 500 No\r\n${`x-a: ${"a".repeat(1000)}\r\n`.repeat(100)}`, false],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\naa", false],
    ["another protocol", "220 mail.example ESMTP\r\n", false],
    [
      "a switch of the protocol",
      "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
      false,
    ],
  ])("fails within a bounded time where the answer is %s", async (_, said, isRepeated) => {
    const service = await startFakeService(
      createServer((socket: Socket) => {
        const timer = isRepeated ? setInterval(() => socket.write(said), 1) : undefined;
        socket.on("error", () => undefined).on("close", () => clearInterval(timer));
        socket.once("data", () => void socket.write(said));
      }),
    );
    onTestFinished(() => service[Symbol.asyncDispose]());
    const send = sender([`127.0.0.1:${service.port}`], { limits: { ...LIMITS, answerMs: 500 } });
    const answer = await send(`http://127.0.0.1:${service.port}/hook`);
    expect(answer).toMatchObject({ outcome: "failed", status: null });
  });

  it.each([
    "http://127.0.0.1/",
    "https://127.0.0.1/",
    "https://[::1]/",
    // github.com/OneUptime/oneuptime/issues/2578 and pull/3183: addresses that hold another one.
    "https://[::ffff:127.0.0.1]/",
    "https://[64:ff9b::a00:1]/",
    "https://[2002:a00:1::]/",
    "https://2130706433/",
    "https://user:pass@files.example/",
    "ftp://files.example/",
  ])("is not sent to %s", async (url) => {
    const isAllowed = () => false;
    const send = createHttpSender({ rules: createHostRules(null, [], "DESTINATION_HOSTS"), isAllowed });
    onTestFinished(() => send[Symbol.asyncDispose]());
    const made = await send.send({ url, headers: {}, body: "" }, new AbortController().signal);
    expect(made).toMatchObject({
      outcome: "failed",
      status: null,
      text: expect.stringMatching(/^The link is refused/) as string,
    });
  });

  it("is not sent to a name of which one address is private", async () => {
    const send = createHttpSender({
      rules: createHostRules(null, [], "DESTINATION_HOSTS"),
      resolve: (_, done) =>
        done(null, [
          { address: "93.184.216.34", family: 4 },
          { address: "10.0.0.1", family: 4 },
        ]),
    });
    onTestFinished(() => send[Symbol.asyncDispose]());
    const made = await send.send({ url: "https://a.example/", headers: {}, body: "" }, new AbortController().signal);
    expect(made).toMatchObject({ text: "The link is refused: its address is not public." });
  });
});
