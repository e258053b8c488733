import { once } from "node:events";
import { connect } from "node:net";
import { WebSocket } from "ws";
import { describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { MAIN, NO_SERVICE, spawnGateway, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { openSocket, openSse } from "../support/streams.ts";

async function exchange(url: string, ...lines: string[]): Promise<string> {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1" });
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  socket.write(`${lines.join("\r\n")}\r\nconnection: close\r\n\r\n`);
  await once(socket, "close");
  return text;
}

describe("a bad Host header", () => {
  it.each(["[", "a b/..@:99999", "x/../y", "%00"])("is refused without internals: %s", async (host) => {
    await using gateway = await startGateway(NO_SERVICE);
    const answer = await exchange(gateway.url, "GET /graphql HTTP/1.1", `Host: ${host}`, "Accept: text/html");
    expect(answer).toMatch(/^HTTP\/1.1 400/);
    expect(answer).not.toMatch(/node_modules|Error|at /);
  });

  it("is refused beside the sandbox, which needs no key, if it is not a loopback name", async () => {
    await using directory = await temporaryDirectory();
    await using gateway = startProgram([MAIN], { PORT: "0", SANDBOX_PORT: "0" }, directory.path);
    const { url } = await gateway.line((line) => line["msg"] === "the gateway listens");
    const status = async (host: string) =>
      (await exchange(String(url), "GET /livez HTTP/1.1", `Host: ${host}`)).slice(9, 12);
    const hosts = [
      "rebound.example",
      "localhost:4000",
      "rebound.example",
      "127.0.0.1",
      "localhost.example",
      "[::1]:4000",
    ];
    const statuses: string[] = [];
    for (const host of hosts) statuses.push(await status(host));
    expect(statuses).toEqual(["400", "200", "400", "200", "400", "200"]);
  });
});

describe("a request target in absolute form", () => {
  it("is read as its path", async () => {
    await using gateway = await startGateway(NO_SERVICE);
    const answer = await exchange(gateway.url, `GET ${gateway.url}/livez HTTP/1.1`, "Host: 127.0.0.1");
    expect(answer).toMatch(/^HTTP\/1.1 200/);
  });

  it("is read with its query", async () => {
    await using gateway = await startGateway(NO_SERVICE);
    const target = `${gateway.url}/graphql/?query={__typename}`;
    const answer = await exchange(
      gateway.url,
      `GET ${target} HTTP/1.1`,
      "Host: 127.0.0.1",
      "X-Switchboard-Preflight: 1",
    );
    expect(answer).toContain('{"data":{"__typename":"Query"}}');
  });
});

describe("the gateway", () => {
  it("stops in bounded time with subscribers of both kinds and peers that never close", async () => {
    await using gateway = await spawnGateway(NO_SERVICE, { DRAIN_SECONDS: "1" });
    const subscription = { query: "subscription { callEnded { sessionId } }" };
    await using stream = await openSse(gateway.url, subscription, { accept: "TEXT/EVENT-STREAM" });
    const { port } = new URL(gateway.url);
    // A refused upgrade whose peer keeps its half open, and a WebSocket whose peer does not read.
    const half = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
    half.on("error", () => undefined);
    half.write("GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    const deaf = new WebSocket(`ws://127.0.0.1:${port}/graphql`, "graphql-transport-ws");
    await once(deaf, "open");
    (deaf as unknown as { _socket: { pause(): void } })._socket.pause();

    gateway.process.kill("SIGTERM");
    await expect(stream.next()).rejects.toThrow();
    expect(await gateway.exited).toBe(0);
    half.destroy();
    deaf.terminate();
  });
});

describe("an event with deeply nested variables", () => {
  it("does not stop its subscribers", async () => {
    await using gateway = await startGateway(NO_SERVICE);
    const client = openSocket(gateway.url);
    const { data } = await gateway.ask<{ callEndedEvents: { headCursor: string } }>(
      "{ callEndedEvents { headCursor } }",
    );
    const results = client.iterate<{ callEnded: { sessionId: string; extra: unknown } }>({
      query: "subscription($after: String) { callEnded(after: $after) { sessionId extra unread { field text } } }",
      variables: { after: data?.callEndedEvents.headCursor },
    });
    const deep = `${'{"a":'.repeat(8000)}1${"}".repeat(8000)}`;
    const poison = callEndedEvent({ task_id: 0, session_id: "poison", extra: 0 });
    await gateway.deliver(JSON.stringify(poison).replace('"extra":0', `"extra":${deep}`));
    await gateway.deliver(callEndedEvent({ task_id: 0, session_id: "next" }));
    expect((await results.next()).value).toEqual({
      data: { callEnded: { sessionId: "poison", extra: null, unread: [{ field: "extra", text: "<hidden>" }] } },
    });
    expect((await results.next()).value).toMatchObject({ data: { callEnded: { sessionId: "next" } } });
    await client.dispose();
  });
});

describe("a socket that breaks the protocol", () => {
  it("is closed with the protocol's code, even if the reason does not fit into a close frame", async () => {
    await using gateway = await startGateway(NO_SERVICE);
    const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
    await once(socket, "open");
    socket.send('{"type":"connection_init"}');
    await once(socket, "message");
    const subscribe = {
      type: "subscribe",
      id: "x".repeat(200),
      payload: { query: "subscription { callEnded { sessionId } }" },
    };
    socket.send(JSON.stringify(subscribe));
    socket.send(JSON.stringify(subscribe));
    const [code] = (await once(socket, "close")) as [number];
    expect(code).toBe(4409);
  });
});
