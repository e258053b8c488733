import { once } from "node:events";
import { connect } from "node:net";
import { WebSocket } from "ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Directory,
  type TestGateway,
  NO_SERVICE,
  startGateway,
  temporaryDirectory,
} from "../../support/gateway.ts";
import { bearer, writeKeys } from "../../support/keys.ts";
import { WEBHOOK_AUTHORIZATION } from "../../support/sandbox.ts";
import { until } from "../../support/until.ts";
import { exchange } from "../serve.ts";

let directory: Directory;
let gateway: TestGateway;
let metricsUrl: string;
beforeAll(async () => {
  directory = await temporaryDirectory();
  const keys = await writeKeys(directory.path, { web: ["calls:read", "admin"] });
  const env = { API_KEYS_FILE: keys, METRICS_PORT: "0", CORS_ORIGINS: "https://app.example" };
  gateway = await startGateway(NO_SERVICE, env);
  const { port } = await gateway.line(({ msg }) => msg === "metrics are served");
  metricsUrl = `http://127.0.0.1:${String(port)}/metrics`;
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const SERIES = /^switchboard_not_served_total\{place="([a-z]+)",status="([a-z0-9]+)"\} (\d+)$/;
/** `place status` → count. */
async function rejectionCounts(): Promise<Map<string, number>> {
  const lines = (await (await fetch(metricsUrl)).text()).split("\n");
  const own = lines.filter((line) => line.startsWith("switchboard_not_served_total"));
  // A label that is not one plain word would not match, and would be missing.
  return new Map(own.map((line) => SERIES.exec(line) ?? []).map(([, place, status, n]) => [`${place} ${status}`, +n!]));
}
/** Runs `work`, and expects that only this series grows, by one. */
async function expectCounted(series: string, work: () => Promise<unknown>): Promise<void> {
  const before = await rejectionCounts();
  await work();
  await until(async () => (await rejectionCounts()).get(series) === (before.get(series) ?? 0) + 1);
  const after = await rejectionCounts();
  expect([...after].filter(([name, count]) => count !== (before.get(name) ?? 0)).map(([name]) => name)).toEqual([
    series,
  ]);
}

const authorization = bearer("web");
const ask = (path: string, init: RequestInit, headers: Record<string, string> = {}) =>
  fetch(gateway.url + path, { ...init, headers: { authorization, ...headers } });
const json = { "content-type": "application/json" };
const q = (query: string) => `/graphql?query=${encodeURIComponent(query)}`;
const post = (body: string, headers: Record<string, string> = json) =>
  ask("/graphql", { method: "POST", body }, headers);
const raw = (text: string) => exchange(Number(new URL(gateway.url).port), text);

describe("A rejection", () => {
  it.each<[string, () => Promise<unknown>]>([
    ["graphql 401", () => post("{}", { ...json, authorization: "Bearer canary" })],
    ["graphql 405", () => ask("/graphql", { method: "PUT" })],
    ["graphql 415", () => post("{}", { "content-type": "text/plain" })],
    ["graphql 413", () => post(" ".repeat(1024 * 1024 + 1))],
    ["graphql 400", () => post("{")],
    ["graphql 400", () => post("[]")],
    ["graphql 400", () => ask("/graphql?variables=canary", {})],
    ["graphql 405", () => ask(q('mutation { forgetPhone(number: "13800010001") { events } }'), {})],
    ["graphql 406", () => ask(q("{ viewer { name } }"), {}, { accept: "image/png" })],
    ["graphql 406", () => ask(q("subscription { callEnded { sessionId } }"), {})],
    ["webhook 401", () => ask("/calllog", { method: "POST", body: "{}" })],
    ["webhook 405", () => ask("/calllog", {})],
    [
      "webhook 413",
      () => ask("/calllog", { method: "POST", body: " ".repeat(300_000) }, { authorization: WEBHOOK_AUTHORIZATION }),
    ],
    ["recordings 403", () => ask("/recordings/canary", {})],
    ["other 404", () => ask("/canary", {})],
    ["other 400", () => raw("GET /livez HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n")],
    ["connection unreadable", () => raw("canary\r\n\r\n")],
    ["connection silent", silent],
    ["upgrade 403", () => upgrade({ origin: "https://canary.example" })],
    ["upgrade 404", () => upgrade({}, "/canary")],
    ["upgrade 400", () => raw("GET /graphql HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n")],
  ])("is counted as %s (%#)", (series, work) => expectCounted(series, work));

  it("is counted as graphql incomplete for a body that never came", () =>
    expectCounted("graphql incomplete", async () => {
      const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
      const head = `POST /graphql HTTP/1.1\r\nhost: a\r\nauthorization: ${authorization}\r\ncontent-type: application/json`;
      socket.write(`${head}\r\ncontent-length: 9\r\n\r\n{`, () => setImmediate(() => socket.resetAndDestroy()));
      await once(socket, "close");
    }));
});

describe("a socket that is closed for its messages", () => {
  const init = JSON.stringify({ type: "connection_init", payload: { authorization } });
  const subscribe = (id: string) =>
    JSON.stringify({ type: "subscribe", id, payload: { query: "subscription { callEnded { sessionId } }" } });

  it.each<[number, (string | Buffer)[], string?]>([
    [4400, ["canary"]],
    [4401, [subscribe("1")]],
    [4403, [JSON.stringify({ type: "connection_init", payload: { authorization: "canary" } })]],
    [4406, [], "canary"],
    [4408, []],
    [4409, [init, subscribe("1"), subscribe("1")]],
    [4429, [init, init]],
    [1003, [init, Buffer.from("canary")]],
    [1008, Array.from({ length: 400 }, () => '{"type":"ping"}')],
    [1009, ["x".repeat(65 * 1024)]],
  ])("is counted with its code %i", (code, messages, protocol = "graphql-transport-ws") =>
    expectCounted(`websocket ${code}`, async () => {
      const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/graphql`, protocol);
      socket.on("error", () => undefined);
      await once(socket, "open");
      for (const message of messages) {
        socket.send(message);
        if (message === init && !messages.every((each) => each === init)) await once(socket, "message");
      }
      expect((await once(socket, "close"))[0]).toBe(code);
    }),
  );

  const openAndClose = async (...messages: string[]) => {
    const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
    await once(socket, "open");
    for (const message of messages) {
      socket.send(message);
      await once(socket, "message");
    }
    socket.close(1000, "canary");
    await once(socket, "close");
  };

  it("is counted as left if it disconnects before the acknowledgement", () =>
    expectCounted("websocket left", () => openAndClose()));

  it("is not counted if it disconnects after the acknowledgement", async () => {
    // When the later socket is counted, all earlier ones were counted too.
    await expectCounted("websocket left", async () => {
      await openAndClose(init);
      await openAndClose();
    });
  });
});

describe("the labels of the metrics", () => {
  it("hold nothing that a client sent", async () => {
    expect(await (await fetch(metricsUrl)).text()).not.toContain("canary");
  });
});

async function silent(): Promise<void> {
  const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1", () => socket.end());
  await once(socket.resume(), "close");
}

async function upgrade(headers: Record<string, string>, path = "/graphql"): Promise<void> {
  const socket = new WebSocket(gateway.url.replace("http", "ws") + path, "graphql-transport-ws", { headers });
  await new Promise((resolve) => socket.on("error", resolve));
}
