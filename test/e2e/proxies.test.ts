// One gateway behind nginx and behind Caddy, with the files of ops/proxies/ that docs/proxies.md shows.
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { text } from "node:stream/consumers";
import { WebSocket } from "ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { soundOfCall } from "../support/sandboxSound.ts";
import { allowing, findEvent } from "../recordings/world.ts";
import { connectSandbox, emptySandbox } from "../support/emptySandbox.ts";
import { callEndedEvent } from "../support/events.ts";
import { gatewayAt, startGateway, temporaryDirectory } from "../support/gateway.ts";
import type { GatewayAddress, TestGateway } from "../support/gateway.ts";
import { bearer, keyOf, writeKeys } from "../support/keys.ts";
import { proxyKinds, type Proxy, type ProxyKind } from "../support/network/proxies.ts";
import { openSocket, openSse, subscribe } from "../support/streams.ts";
import { until } from "../support/until.ts";
import { openIdle, type IdleClients } from "./idleClients.ts";
import { MUTATION, taskInput } from "./submitting.ts";

const LIVE = "subscription { callEnded { sessionId caller } }";
interface Live {
  callEnded: { sessionId: string };
}
const web = { authorization: bearer("web") };
const MIB = 1024 * 1024;

interface Stage extends AsyncDisposable {
  sandbox: Sandbox;
  gateway: TestGateway;
  proxy: Proxy;
  idle: IdleClients;
}

async function startStage({ start }: ProxyKind): Promise<Stage> {
  await using parts = new AsyncDisposableStack();
  const directory = parts.use(await temporaryDirectory());
  const sandbox = parts.use(await emptySandbox());
  const scopes = ["calls:read", "people:read", "recordings:read", "tasks:create"];
  const gateway = parts.use(
    await startGateway(sandbox, {
      ...allowing(sandbox),
      API_KEYS_FILE: await writeKeys(directory.path, { web: scopes, ops: ["admin"] }),
      TRUST_PROXY: "1",
      METRICS_PORT: "0",
      RATE_LIMIT: "50",
    }),
  );
  const proxy = parts.use(await start([gateway, gateway]));
  connectSandbox(sandbox, proxy);
  const idle = parts.use(await openIdle(proxy.url, web));
  const owned = parts.move();
  return { sandbox, gateway, proxy, idle, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** All begin together, so that their idle connections wait for their pings at the same time. */
const stages = new Map<string, Stage>();
beforeAll(async () => {
  for (const kind of proxyKinds) if (kind.isInstalled) stages.set(kind.name, await startStage(kind));
});
afterAll(async () => {
  for (const stage of stages.values()) await stage[Symbol.asyncDispose]();
});

describe.each(proxyKinds)("Behind $name, a gateway", ({ name, isInstalled }) => {
  if (!isInstalled) return it.skip(`is not tested: ${name} or openssl is not installed`);
  let sandbox: Sandbox;
  let gateway: TestGateway;
  let proxy: Proxy;
  let proxied: GatewayAddress;
  beforeAll(() => {
    ({ sandbox, gateway, proxy } = stages.get(name) as Stage);
    proxied = gatewayAt(proxy.url);
  });

  /** The idle stream is one of them. */
  async function expectSubscribers(count: number): Promise<void> {
    await until(async () => {
      const query = "{ gateway { subscribers } }";
      const { data } = await gateway.ask<{ gateway: { subscribers: number } }>(
        query,
        {},
        { authorization: bearer("ops") },
      );
      return data?.gateway.subscribers === count;
    });
  }

  it("is reached by https, and plain http leads there", async () => {
    expect((await proxied.ask("{ viewer { name } }", {}, web)).data).toEqual({ viewer: { name: "web" } });
    const plain = await fetch(`${proxy.plainUrl}/graphql?a=1`, { redirect: "manual" });
    expect(plain.headers.get("location")).toBe("https://localhost/graphql?a=1");
  });

  it("receives webhooks, and sends each server-sent event before the next one is made", async () => {
    await using stream = await openSse<Live>(proxy.url, { query: LIVE }, web);
    for (let at = 0; at < 3; at += 1) {
      const event = callEndedEvent();
      expect((await proxied.deliver(event)).status).toBe(200);
      expect((await stream.next()).data?.callEnded.sessionId).toBe(event.event_data["session_id"]);
    }
    expect((await proxied.deliver(callEndedEvent(), { authorization: "wrong" })).status).toBe(401);
  });

  it("sends each server-sent event at once over HTTP/1.1, too", async () => {
    const response = await send(proxy, JSON.stringify({ query: LIVE }), { accept: "text/event-stream", ...web });
    let received = "";
    response.on("data", (chunk: Buffer) => (received += chunk.toString())).on("error", () => undefined);
    for (let at = 0; at < 3; at += 1) {
      const event = callEndedEvent();
      await proxied.deliver(event);
      await until(() => received.includes(String(event.event_data["session_id"])));
    }
    response.destroy();
    expect(received.match(/^event: next$/gm)?.length).toBe(3);
  });

  it("sends each event over a WebSocket", async () => {
    await expectSubscribers(1);
    await using stream = subscribe<Live>(openSocket(proxy.url, bearer("web")), LIVE);
    const first = stream.next();
    await expectSubscribers(2);
    const event = callEndedEvent();
    await proxied.deliver(event);
    expect((await first).data?.callEnded.sessionId).toBe(event.event_data["session_id"]);
  });

  it("learns that a subscriber has left", async () => {
    await expectSubscribers(1);
    const stream = await openSse<Live>(proxy.url, { query: LIVE }, web);
    await expectSubscribers(2);
    await stream[Symbol.asyncDispose]();
    await expectSubscribers(1);
  });

  it("takes a createTask of 16 MiB, and says itself that a larger one is too large", async () => {
    const name = "x".repeat(32_000);
    const numbers = Array.from({ length: 500 }, (_, at) => ({ number: `+1202${1_000_000 + at}`, extra: { name } }));
    const input = taskInput(sandbox, { numbers });
    const body = JSON.stringify({ query: MUTATION, variables: { input } });
    const whole = body.padEnd(16 * MIB);
    const accepted = await post(proxy, whole, web);
    // The connection may break before the answer is read, because the rest of the body is not taken.
    const refused = await until(() => post(proxy, `${whole} `, web).catch(() => null));
    expect(accepted).toMatchObject({ status: 200, body: { data: { createTask: { errors: [] } } } });
    expect(refused).toMatchObject({ status: 413, body: { errors: [{ extensions: { code: "QUERY_TOO_COMPLEX" } }] } });
    expect(sandbox.control.state().tasks).toBe(1);
  });

  it("knows its own origin, https, over HTTP and WebSocket", async () => {
    const granted = async (origin: string) => {
      const answer = await fetch(`${proxy.url}/graphql`, { method: "OPTIONS", headers: { origin } });
      const socket = new WebSocket(`${proxy.url.replace("http", "ws")}/graphql`, "graphql-transport-ws", { origin });
      const isOpen = await once(socket, "open").then(
        () => true,
        () => false,
      );
      socket.terminate();
      return [answer.headers.get("access-control-allow-origin") === origin, isOpen];
    };
    expect(await granted(proxy.url)).toEqual([true, true]);
    expect(await granted(proxy.url.replace("https", "http"))).toEqual([false, false]);
    expect(await granted("https://other.example")).toEqual([false, false]);
  });

  it("gets a request ID that the proxy made, not the one of the client", async () => {
    const headers = { "x-request-id": "chosen-by-the-client", ...web };
    const response = await send(proxy, '{"query":"{ __typename }"}', headers);
    response.resume();
    expect(response.headers["x-request-id"]).toMatch(/^[0-9a-f-]{32,36}$/);
  });

  it("counts failed credentials by the client's address, whatever X-Forwarded-For the client sends", async () => {
    let sent = 0;
    const guess = (localAddress: string) => {
      sent += 1;
      const headers = { authorization: "Bearer guessed", "x-forwarded-for": `192.0.2.${sent % 250}` };
      return post(proxy, '{"query":"{ __typename }"}', headers, localAddress).then(({ status }) => status);
    };
    await until(async () => (await guess("127.0.0.2")) === 429);
    expect(sent).toBe(51);
    expect([await guess("127.0.0.2"), await guess("127.0.0.3")]).toEqual([429, 401]);
  });

  it("serves a recording whole and by ranges, and the proxy's logs hold no address of it", async () => {
    const { sessionId } = sandbox.control.endCall();
    const { url } = await until(async () => {
      const recording = (await findEvent(proxied, sessionId, web))?.recording;
      return recording?.status === "ARCHIVED" && recording;
    });
    const bytes = soundOfCall(sessionId);
    const whole = await fetch(new URL(url ?? "", proxy.url));
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(bytes);
    const part = await fetch(new URL(url ?? "", proxy.url), { headers: { range: "bytes=100-199" } });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 100-199/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(100, 200));
    expectNoSecret(url ?? "");
  });

  it("keeps its metrics on a port that the proxy does not reach", async () => {
    const { port } = await gateway.line(({ msg }) => msg === "metrics are served");
    expect(await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text()).toContain("switchboard_sockets");
    expect((await fetch(`${proxy.url}/metrics`)).status).toBe(404);
  });

  function expectNoSecret(url: string): void {
    const grant = new URL(url, proxy.url).search.slice(1);
    expect(grant.length).toBeGreaterThan(20);
    for (const secret of [grant, keyOf("web")]) expect(proxy.logs()).not.toContain(secret);
  }
});

describe.each(proxyKinds.filter(({ isInstalled }) => isInstalled))(
  "Behind $name, a gateway with idle clients",
  ({ name }) => {
    it("keeps their WebSocket and their stream open by its pings", async () => {
      const { idle } = stages.get(name) as Stage;
      await until(() => idle.socketPings() >= 1 && idle.streamPings() >= 3);
      expect([idle.socket.readyState, idle.closed()]).toEqual([WebSocket.OPEN, false]);
    });
  },
);

async function post(proxy: Proxy, body: string, headers: Record<string, string>, localAddress?: string) {
  const response = await send(proxy, body, headers, localAddress);
  return { status: response.statusCode ?? 0, body: JSON.parse(await text(response)) as unknown };
}

/** By HTTP/1.1, from this address of the loopback. */
async function send(proxy: Proxy, body: string, headers: Record<string, string>, localAddress = "127.0.0.1") {
  const port = Number(new URL(proxy.url).port);
  const target = { host: "127.0.0.1", servername: "localhost", port, localAddress, path: "/graphql", method: "POST" };
  const own = { host: `localhost:${port}`, "content-type": "application/json" };
  const sent = request({ ...target, headers: { ...own, ...headers }, agent: false }).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  // A body that was refused is cut.
  sent.on("error", () => undefined);
  return response;
}
