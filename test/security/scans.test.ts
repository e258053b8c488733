// A74: viewers that read much of the log, in one operation, in many, or in many abandoned ones.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { silentLog } from "../support/silentLog.ts";
import { openStore } from "../../src/store/store.ts";
import { appendRows, eventRow } from "../store/tempStore.ts";
import { callEndedEvent } from "../support/events.ts";
import { type Directory, type TestGateway, NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { openSocket, openSse, subscribe } from "../support/streams.ts";
import { transports, type GraphqlResult } from "./transports.ts";

const ROWS = 5000;
const codes = ({ errors }: GraphqlResult) => (errors ?? []).map(({ extensions }) => extensions?.["code"]);

async function filled(directory: Directory): Promise<void> {
  await using store = await openStore({ url: directory.database, log: silentLog });
  const rows = Array.from({ length: ROWS }, (_, at) =>
    eventRow({ sessionId: `s${at}`, taskId: String(1 + (at % 50)), callee: `138${String(at).padStart(8, "0")}` }),
  );
  for (let at = 0; at < ROWS; at += 1000) await appendRows(store.events, rows.slice(at, at + 1000));
}

const PARTS = "fragment P on CallStats { calls byHangupSide { calls } numbersCalled }";

/** `count` different statistics of three scans each. */
function statistics(count: number, of = "2026-11-01"): string {
  const parts = Array.from({ length: count }, (_, at) => {
    const since = new Date(Date.parse(of) + at * 1000).toISOString();
    return `a${at}: callStats(filter: { since: "${since}" }) { ...P }`;
  });
  return `{ ${parts.join(" ")} } ${PARTS}`;
}

describe("A74: a viewer that reads much of the log", () => {
  let directory: Directory;
  let gateway: TestGateway;
  const as = (name: string) => ({ authorization: bearer(name) });

  beforeAll(async () => {
    directory = await temporaryDirectory();
    await filled(directory);
    const viewers = Object.fromEntries(["many", "one"].map((name) => [name, ["calls:read", "people:read", "admin"]]));
    const keys = await writeKeys(directory.path, viewers);
    gateway = await startGateway(NO_SERVICE, { DATABASE_URL: directory.database, API_KEYS_FILE: keys });
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });

  it.each(transports)("is refused an operation over LOG_BUDGET before anything is read, over %s", async (_, open) => {
    await using transport = await open(gateway.url, bearer("many"));
    const aliases = Array.from({ length: 100 }, (_each, at) => `a${at}: callStats { ...P }`);
    const result = await transport.ask({ query: `{ ${aliases.join(" ")} } ${PARTS}` });
    expect(codes(result)).toEqual(["QUERY_TOO_COMPLEX"]);
    expect(result.errors?.[0]?.message).toContain("3000 rows");
    const pages = Array.from({ length: 26 }, (_each, at) => `a${at}: callEndedEvents(first: 100) { nodes { id } }`);
    expect(codes(await transport.ask({ query: `{ ${pages.join(" ")} }` }))).toEqual(["QUERY_TOO_COMPLEX"]);
  });

  it("is answered the queries of a dashboard: ten statistics with timelines, statistics of 50 tasks, long pages", async () => {
    const whole = `fragment W on CallStats { since calls answered totalDuration totalBillsec numbersCalled numbersReached
      byHangupReason { calls } byHangupSide { calls } byTask { calls } byAssistant { calls } timeline { start calls } }`;
    const ten = Array.from(
      { length: 10 },
      (_each, at) => `a${at}: callStats(filter: { taskIds: ["${at + 1}"] }) { ...W }`,
    );
    const dashboards = [
      `{ ${ten.join(" ")} } ${whole}`,
      "{ tasks(first: 50) { edges { cursor } } callEndedEvents(first: 100, order: NEWEST_FIRST) { nodes { id } } }",
      "{ callStats { timeline(bucket: MINUTE) { start } byTask(first: 100) { taskId calls } } }",
    ];
    for (const query of dashboards) {
      const { status, errors } = await gateway.ask(query, {}, as("one"));
      expect([status, errors]).toEqual([200, undefined]);
    }
  });

  it("delays another viewer by a few scans, and not by all of its own", async () => {
    const order: string[] = [];
    const done = (what: string) => (result: GraphqlResult) => void order.push([what, ...codes(result)].join(" "));
    const heavy = [1, 2, 3, 4, 5].map((day) =>
      gateway.ask(statistics(60, `2026-10-0${day}`), {}, as("many")).then(done("many")),
    );
    await Promise.all([
      ...heavy,
      gateway.ask("{ callStats { calls } }", {}, as("one")).then(done("one")),
      gateway.ask('mutation { forgetPhone(number: "13899999999") { events } }', {}, as("one")).then(done("forgotten")),
      gateway.deliver(callEndedEvent()).then(({ status }) => order.push(`delivered ${status}`)),
    ]);
    expect(order.indexOf("one")).toBeLessThan(order.indexOf("many"));
    expect(order.slice(0, -1)).toEqual(expect.arrayContaining(["forgotten", "delivered 200"]));
    expect(order.filter((what) => what === "many")).toHaveLength(5);
  });

  const clients: readonly (readonly [string, (query: string) => Promise<() => void>])[] = [
    ["a POST that is cut", (query) => startPost(query, "application/json")],
    ["server-sent events that are cut", (query) => startPost(query, "text/event-stream")],
    ["a WebSocket's complete", (query) => startSocket(query, false)],
    ["a WebSocket that is closed", (query) => startSocket(query, true)],
  ];

  it.each(clients)("leaves no scan running for nobody: %s", async (_, begin) => {
    const cancels = await Promise.all(
      ["2026-09-01", "2026-09-02", "2026-09-03"].map((of) => begin(statistics(60, of))),
    );
    // Those have started by now, because this answer comes after them.
    await gateway.ask("{ callStats { calls } }", {}, as("one"));
    for (const cancel of cancels) cancel();
    const order: string[] = [];
    // If the viewers take turns, the other one is done long before six hundred scans.
    const other = gateway.ask(statistics(60, "2026-08-01"), {}, as("one")).then(() => order.push("other"));
    const next = gateway.ask(statistics(1, "2026-08-02"), {}, as("many")).then(() => order.push("next"));
    await Promise.all([other, next]);
    expect(order).toEqual(["next", "other"]);
  });

  async function startPost(query: string, accept: string): Promise<() => void> {
    const request = new AbortController();
    const headers = { "content-type": "application/json", accept, ...as("many") };
    fetch(`${gateway.url}/graphql`, {
      method: "POST",
      headers,
      body: JSON.stringify({ query }),
      signal: request.signal,
    }).catch(() => undefined);
    return () => request.abort();
  }
  async function startSocket(query: string, closes: boolean): Promise<() => void> {
    const client = openSocket(gateway.url, bearer("many"));
    onTestFinished(() => void client.dispose());
    const complete = client.subscribe({ query }, { next: () => {}, error: () => {}, complete: () => {} });
    // Messages of a socket are handled in order: when this is answered, the other one has started.
    await subscribe(client, "{ serviceTimeZone }").next();
    return closes ? () => void client.dispose() : complete;
  }
});

describe("A74: a viewer that reads much of the log in a minute", () => {
  const LIMIT = 40;
  let directory: Directory;
  let gateway: TestGateway;
  const nameOf = (transport: string) => transport.replaceAll(/\W/g, "-");

  beforeAll(async () => {
    directory = await temporaryDirectory();
    const names = [...transports.map(([name]) => nameOf(name)), "watcher", "other"];
    const keys = await writeKeys(directory.path, Object.fromEntries(names.map((name) => [name, ["calls:read"]])));
    gateway = await startGateway(NO_SERVICE, {
      API_KEYS_FILE: keys,
      LOG_RATE_LIMIT: String(LIMIT),
      LOG_BUDGET: String(LIMIT),
    });
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });

  it.each(transports)("is RATE_LIMITED over %s, while others are served", async (title, open) => {
    await using transport = await open(gateway.url, bearer(nameOf(title)));
    await using other = await open(gateway.url, bearer("other"));
    const ask = { query: "{ callStats { calls answered } }" };
    for (let at = 0; at < LIMIT / 20; at += 1) expect(codes(await transport.ask(ask))).toEqual([]);
    const { errors } = await transport.ask(ask);
    expect(errors?.map(({ extensions }) => extensions)).toMatchObject([
      { code: "RATE_LIMITED", retryAfter: expect.any(Number) as number },
    ]);
    // Operations that read no rows cost nothing.
    expect(codes(await transport.ask({ query: "{ viewer { name } }" }))).toEqual([]);
    expect(codes(await other.ask({ query: '{ callEnded(sessionId: "s") { id } }' }))).toEqual([]);
  });

  it("gets 429 with Retry-After over HTTP", async () => {
    const ask = () => gateway.ask("{ callStats { calls answered } }", {}, { authorization: bearer(nameOf("POST")) });
    for (let at = 0; at < LIMIT / 20; at += 1) await ask();
    expect((await ask()).status).toBe(429);
  });

  it("still gets every event of a subscription, with errors for fields that would read more", async () => {
    const query = "subscription { callEnded { sessionId recording { status } } }";
    await using stream = await openSse<{ callEnded: { sessionId: string } }>(
      gateway.url,
      { query },
      { authorization: bearer("watcher") },
    );
    const sent = Array.from({ length: LIMIT + 5 }, (_, at) => `sent-${at}`);
    const received: string[] = [];
    const limited: number[] = [];
    const reading = (async () => {
      for (const at of sent.keys()) {
        const { data, errors } = await stream.next();
        received.push(data?.callEnded.sessionId ?? "nothing");
        if (errors) limited.push(at);
        for (const error of errors ?? []) expect(error.extensions?.["code"]).toBe("RATE_LIMITED");
      }
    })();
    for (const session_id of sent) await gateway.deliver(callEndedEvent({ session_id }));
    await reading;
    expect(received).toEqual(sent);
    expect(limited.length).toBeGreaterThan(0);
  });
});
