import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { exchange } from "../server/serve.ts";
import { callEndedEvent } from "../support/events.ts";
import { NO_SERVICE, spawnGateway, temporaryDirectory } from "../support/gateway.ts";
import { openSocket, openSse, subscribe } from "../support/streams.ts";
import { until } from "../support/until.ts";
import { serve } from "../upstream/service.ts";
import { QUIET, startLoad } from "./load.ts";
import { openReader } from "./reader.ts";

// The drain ends when the last connection is closed. One that is over cuts sockets without a close code.
const DRAIN = { ...QUIET, DRAIN_SECONDS: "600" };

/** Stops a gateway under load with SIGTERM and starts another one, `restarts` times. */
async function restartUnderLoad(restarts: number, size: number) {
  await using directory = await temporaryDirectory();
  const start = () => spawnGateway(NO_SERVICE, { ...DRAIN, DATABASE_URL: directory.database });
  let gateway = await start();
  await using readers = new AsyncDisposableStack();
  const audience = Array.from({ length: size }, () => readers.use(openReader(() => gateway.url)));
  await Promise.all(audience.map(({ subscribed }) => subscribed));
  const load = startLoad({ gateway: () => gateway, writers: 8 });
  const codes: (number | null)[] = [];
  for (let at = 0; at < restarts; at += 1) {
    await load.waitForMore(50);
    gateway.process.kill("SIGTERM");
    codes.push(await gateway.exited);
    gateway = await start();
  }
  await load.waitForMore(50);
  await load.stop();
  await until(() => audience.every(({ sessionIds }) => sessionIds.length >= load.acknowledged.length));
  gateway.process.kill("SIGTERM");
  codes.push(await gateway.exited);
  using database = new DatabaseSync(directory.database.slice("file:".length));
  const rows = database.prepare("select session_id from events order by seq").all();
  return { load, audience, codes, stored: rows.map((row) => String(row["session_id"])) };
}

describe("A gateway that stops under load", () => {
  it("ends with exit code 0, and its clients only reconnect", { timeout: 300_000 }, async () => {
    const { load, audience, codes, stored } = await restartUnderLoad(1, 40);
    expect(codes).toEqual([0, 0]);
    expect(stored.toSorted()).toEqual(load.acknowledged.toSorted());
    // A webhook may find no gateway between two of them, but no gateway refuses one.
    expect([...load.refusals.keys()].filter((status) => status !== 0)).toEqual([]);
    for (const { sessionIds, errors, closes } of audience) {
      expect(errors).toEqual([]);
      expect(sessionIds).toEqual(stored);
      expect(closes.filter((code) => code === 1012).length).toBeGreaterThanOrEqual(1);
    }
  });
});

/** A stopping gateway with one query over WebSocket and one over HTTP. The service answers both after `release`. */
async function stopWithQueriesInFlight(beforeStop: (url: string) => Promise<unknown> = () => Promise.resolve()) {
  const held: (() => void)[] = [];
  const service = await serve((response) => {
    held.push(() => response.writeHead(500).end());
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const gateway = await spawnGateway(service, { ...QUIET, DRAIN_SECONDS: "600", UPSTREAM_TIMEOUT_MS: "60000" });
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const listener = openReader(() => gateway.url);
  onTestFinished(() => listener[Symbol.asyncDispose]());
  const stream = await openSse(gateway.url, { query: "subscription { callEnded { sessionId } }" });
  await listener.subscribed;
  const query = "{ callLogs { totalCount } }";
  // A different query, because equal ones would share a request to the service.
  const byHttp = gateway.ask("{ callLogs(first: 7) { totalCount } }");
  const asker = subscribe(openSocket(gateway.url), query);
  onTestFinished(() => asker[Symbol.asyncDispose]());
  const bySocket = asker.next();
  await until(() => held.length >= 2);
  await beforeStop(gateway.url);
  gateway.process.kill("SIGTERM");
  await until(async () => (await fetch(`${gateway.url}/readyz`)).status === 503);
  const release = setInterval.bind(null, () => held.splice(0).forEach((answer) => answer()), 5);
  return { gateway, listener, stream, byHttp, bySocket, release };
}

/** A WebSocket whose client reads nothing, so that it never answers the gateway's close. */
async function openDeafSocket(url: string): Promise<void> {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/graphql`, "graphql-transport-ws");
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  socket.pause();
}

/** A connection that was answered and is kept open. */
async function openIdle(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.write("GET /livez HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
  await once(socket, "data");
  return socket;
}

async function upgradeStatus(url: string): Promise<number> {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/graphql`, "graphql-transport-ws");
  const [request, response] = (await once(socket, "unexpected-response")) as [
    { destroy(): void },
    { statusCode: number },
  ];
  request.destroy();
  return response.statusCode;
}

describe("A stopping gateway", () => {
  it("is not ready, refuses new subscriptions, and answers the queries in flight", { timeout: 300_000 }, async () => {
    const { gateway, listener, stream, byHttp, bySocket, release } = await stopWithQueriesInFlight();
    await until(() => listener.closes.includes(1012));
    await expect(stream.next()).rejects.toThrow();
    expect(await upgradeStatus(gateway.url)).toBe(503);
    const newStream = await fetch(`${gateway.url}/graphql`, {
      method: "POST",
      headers: { accept: "text/event-stream" },
    });
    expect([newStream.status, newStream.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await gateway.ask("{ __typename }")).toMatchObject({ status: 200, data: { __typename: "Query" } });
    expect(gateway.process.exitCode).toBeNull();

    const releasing = release();
    expect((await byHttp).errors?.[0]?.extensions["code"]).toBe("UPSTREAM_UNAVAILABLE");
    expect((await bySocket).errors?.[0]?.extensions?.["code"]).toBe("UPSTREAM_UNAVAILABLE");
    expect(await gateway.exited).toBe(0);
    clearInterval(releasing);
  });

  it("answers what runs and closes idle connections, although the peer of a WebSocket has disappeared", async () => {
    const idle = Promise.withResolvers<Socket>();
    const { byHttp, bySocket, release } = await stopWithQueriesInFlight(async (url) => {
      await openDeafSocket(url);
      idle.resolve(await openIdle(url));
    });
    const socket = await idle.promise;
    // A proxy needs no new connection while this server may stop listening.
    socket.write("GET /readyz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
    const head = String((await once(socket, "data"))[0]);
    expect(head).toMatch(/^HTTP\/1.1 503 /);
    expect(head).not.toMatch(/^connection: close/im);
    const closed = once(socket, "close");
    const releasing = release();
    expect((await bySocket).errors?.[0]?.extensions?.["code"]).toBe("UPSTREAM_UNAVAILABLE");
    expect((await byHttp).errors?.[0]?.extensions["code"]).toBe("UPSTREAM_UNAVAILABLE");
    clearInterval(releasing);
    await closed;
  });

  it("ends at once with a signal more than a second after the first", { timeout: 300_000 }, async () => {
    const { gateway, byHttp, bySocket } = await stopWithQueriesInFlight();
    byHttp.catch(() => undefined);
    bySocket.catch(() => undefined);
    await until(() => gateway.process.exitCode !== null || !gateway.process.kill("SIGTERM"));
    expect(await gateway.exited).toBe(1);
  });
});

describe("A gateway with DRAIN_DELAY_SECONDS", () => {
  it("serves everything after SIGHUP, but is not ready, and ends at once with a later signal", async () => {
    await using gateway = await spawnGateway(NO_SERVICE, { ...QUIET, DRAIN_DELAY_SECONDS: "3600" });
    await using before = await openSse<Ended>(gateway.url, { query: ENDED });
    gateway.process.kill("SIGHUP");
    await until(async () => (await fetch(`${gateway.url}/readyz`)).status === 503);
    // Until here a connection was kept open.
    const [head = ""] = (await rawGet(gateway.url, "/livez")).split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*connection: close/i);
    await using after = await openSse<Ended>(gateway.url, { query: ENDED });
    await using bySocket = subscribe<Ended>(openSocket(gateway.url), ENDED);
    const received = [before.next(), after.next(), bySocket.next()];
    await until(async () => (await gateway.ask<Subscribers>(SUBSCRIBERS)).data?.gateway.subscribers === 3);
    const event = callEndedEvent({ task_id: 0 });
    expect((await gateway.deliver(event)).status).toBe(200);
    const sessionIds = (await Promise.all(received)).map(({ data }) => data?.callEnded.sessionId);
    expect(sessionIds).toEqual(Array(3).fill(event.event_data["session_id"]));
    await until(() => gateway.process.exitCode !== null || !gateway.process.kill("SIGTERM"));
    expect(await gateway.exited).toBe(1);
  });
});

describe("A signal", () => {
  it("SIGUSR1 opens no debugger, and SIGQUIT stops the gateway as SIGTERM does", async () => {
    await using gateway = await spawnGateway(NO_SERVICE, QUIET);
    gateway.process.kill("SIGUSR1");
    await gateway.line(({ msg }) => msg === "SIGUSR1 is ignored");
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
    expect(gateway.stderr()).not.toMatch(/debugger/i);
    gateway.process.kill("SIGQUIT");
    expect(await gateway.exited).toBe(0);
  });
});

const ENDED = "subscription { callEnded { sessionId } }";
interface Ended {
  callEnded: { sessionId: string };
}
const SUBSCRIBERS = "{ gateway { subscribers } }";
interface Subscribers {
  gateway: { subscribers: number };
}

/** The whole answer, over a connection that the client would keep open. */
const rawGet = (url: string, path: string) =>
  exchange(Number(new URL(url).port), `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
