// `switchboard doctor --webhook --address`, through proxies that do what people have met.
import { once } from "node:events";
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blocksOf } from "../docs/blocks.ts";
import { keyOf, writeKeys } from "../support/keys.ts";
import { NO_SERVICE, startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { freePort } from "../support/network/freePort.ts";
import { startProgram } from "../support/program.ts";
import { CLI, WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";

type Handle = (request: IncomingMessage, response: ServerResponse, gateway: URL) => void;

/** Passes the request on; `change` may change its head or body. */
const passing =
  (change: (head: IncomingMessage["headers"], body: Buffer) => { path?: string; body?: Buffer } | void): Handle =>
  async (request, response, gateway) => {
    const body = Buffer.concat(await request.toArray());
    const headers = { ...request.headers };
    const own = change(headers, body) ?? {};
    const sent = own.body ?? body;
    if (own.body) headers["content-length"] = String(sent.byteLength);
    const onward = forward(new URL(own.path ?? request.url ?? "/", gateway), { method: request.method, headers });
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.end(sent);
  };
const answering =
  (status: number, head: Record<string, string> = {}, body = ""): Handle =>
  (request, response) =>
    void request.resume().on("end", () => response.writeHead(status, head).end(body));

async function startProxy(handle: Handle, gateway: TestGateway) {
  const server = createServer((request, response) => handle(request, response, new URL(gateway.url)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, [Symbol.dispose]: () => (server.closeAllConnections(), void server.close()) };
}

describe("switchboard doctor --webhook --address", () => {
  let gateway: TestGateway;
  let parts: AsyncDisposableStack;
  beforeAll(async () => {
    parts = new AsyncDisposableStack();
    const directory = parts.use(await temporaryDirectory());
    const API_KEYS_FILE = await writeKeys(directory.path, { ops: ["admin", "calls:read"], web: ["calls:read"] });
    gateway = parts.use(await startGateway(NO_SERVICE, { API_KEYS_FILE }));
  });
  afterAll(() => parts.disposeAsync());

  async function send(address: string, { key = "ops", args = [] as string[] } = {}) {
    const own = [CLI, "doctor", "--webhook", "--url", gateway.url, "--address", address, ...args];
    await using program = startProgram(own, { SWITCHBOARD_KEY: keyOf(key) });
    const code = await program.exited;
    return { code, text: program.output.join("\n"), stderr: program.stderr() };
  }
  const status = async () => {
    const { data } = await gateway.ask(
      "{ gateway { quarantined events { events } webhooks { lastAcceptedAt acceptedLastMinute refused { count } } } }",
      {},
      { authorization: `Bearer ${keyOf("ops")}` },
    );
    return data?.["gateway"];
  };

  it("says that it came through, takes the path from the gateway, and leaves nothing behind", async () => {
    const before = await status();
    using proxy = await startProxy(
      passing(() => undefined),
      gateway,
    );
    for (const address of [proxy.url, `${proxy.url}/calllog`]) {
      const { code, text, stderr } = await send(address);
      expect([code, text]).toEqual([
        0,
        expect.stringMatching(/^arrived {2}A test webhook came through \S+\/calllog as/),
      ]);
      expect(text + stderr).not.toContain(WEBHOOK_AUTHORIZATION);
    }
    expect(await status()).toEqual(before);
  });

  it("is the command that docs/your-own-service.md shows", async () => {
    const block = blocksOf("docs/your-own-service.md").find(({ heading }) => heading === "Try the way without a call");
    const args =
      block?.code
        .trim()
        .replace(/^.* switchboard /, "")
        .split(" ") ?? [];
    using proxy = await startProxy(
      passing(() => undefined),
      gateway,
    );
    const own = args.map((arg) => arg.replace("https://switchboard.example", proxy.url));
    await using program = startProgram([CLI, ...own, "--url", gateway.url], { SWITCHBOARD_KEY: keyOf("ops") });
    expect([await program.exited, own.join(" ")]).toEqual([0, `doctor --webhook --address ${proxy.url}/calllog`]);
  });

  // Each with where people met it.
  it.each([
    [
      "drops the Authorization header (github.com/home-assistant/core/issues/16306)",
      passing((head) => void delete head.authorization),
      "was refused: let the proxy keep the Authorization header",
    ],
    [
      "puts its own Authorization header in (github.com/coollabsio/openclaw/pull/38)",
      passing((head) => void (head.authorization = "Bearer of-the-proxy")),
      "was refused: let the proxy keep the Authorization header",
    ],
    [
      "asks for a password of its own (github.com/ChatGPTNextWeb/NextChat/pull/1235)",
      answering(401, { "www-authenticate": 'Basic realm="private"' }),
      "ask for none of its own",
    ],
    [
      "takes smaller bodies only (github.com/alerta/docker-alerta/issues/441)",
      answering(413, {}, "<html>413 Request Entity Too Large</html>"),
      "is larger than the proxy takes",
    ],
    [
      "redirects http to https (github.com/devlikeapro/waha/issues/112)",
      answering(301, { location: "https://calls.example.com/calllog" }),
      "was redirected",
    ],
    [
      "redirects to a path with a slash (github.com/processwire/processwire-issues/issues/2149)",
      answering(308, { location: "/calllog/" }),
      "was redirected",
    ],
    ["strips a part of the path", passing(() => ({ path: "/" })), "came to a path that takes no webhooks"],
    [
      "reads bodies in another encoding",
      passing((_, body) => ({ body: Buffer.from(body.toString("latin1")).subarray(0, 200_000) })),
      "arrived with another body",
    ],
    [
      "answers with a page of its own",
      answering(200, { "content-type": "text/html" }, "<h1>Welcome</h1>"),
      "something else",
    ],
    ["answers 200 with nothing", answering(200), "something else"],
    [
      "replaces the Host header, which a gateway without keys refuses",
      answering(400, {}, "The Host header does not name this gateway."),
      "was refused for its head",
    ],
    ["has too much to do", answering(503), "was not taken now"],
    ["finds no gateway", answering(502, {}, "Bad Gateway"), "something else than the gateway"],
    ["asks for proof of a person", answering(403, { "content-type": "text/html" }, "<p>Checking…</p>"), "was refused"],
  ])("says what to do where the proxy %s", async (_, handle, advice) => {
    using proxy = await startProxy(handle, gateway);
    const { code, text } = await send(proxy.url);
    expect([code, text]).toEqual([
      1,
      expect.stringContaining(`lost     A test webhook to ${proxy.url}/calllog ${advice}`.slice(0, 40)),
    ]);
    expect(text).toContain(advice);
  });

  it("prints one JSON line by --json, also where nothing listens", async () => {
    using proxy = await startProxy(
      passing(() => undefined),
      gateway,
    );
    const arrived = await send(proxy.url, { args: ["--json"] });
    expect([arrived.code, JSON.parse(arrived.text)]).toEqual([
      0,
      {
        address: `${proxy.url}/calllog`,
        outcome: "ARRIVED",
        status: 200,
        problem: null,
        ms: expect.any(Number) as number,
      },
    ]);
    const lost = await send(`http://127.0.0.1:${await freePort()}`, { args: ["--json"] });
    expect([lost.code, JSON.parse(lost.text)]).toEqual([
      1,
      expect.objectContaining({ outcome: "UNREACHABLE", status: null, problem: "ECONNREFUSED" }),
    ]);
  });

  it("needs the scope admin, an address, and nothing to wait for", async () => {
    expect(await send("http://127.0.0.1:9", { key: "web" })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("admin") as string,
    });
    for (const address of ["calls.example.com", "ftp://calls.example.com", "https://user:canary@calls.example.com"]) {
      const { code, stderr } = await send(address);
      expect([code, stderr]).toEqual([64, expect.stringContaining("--address must be an address such as")]);
      expect(stderr).not.toContain("canary");
    }
    expect(await send("http://127.0.0.1:9", { args: ["--timeout", "1"] })).toMatchObject({ code: 64 });
  });
});
