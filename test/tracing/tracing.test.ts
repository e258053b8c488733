import { describe, expect, it, onTestFinished, vi } from "vitest";
import { noTracing } from "../../src/tracing/tracing.ts";
import { MUTATION, taskInputFor, type Payload } from "../e2e/submitting.ts";
import { callEndedEvent } from "../support/events.ts";
import { openSocket, openSse, subscribe } from "../support/streams.ts";
import { until } from "../support/until.ts";
import { serve } from "../upstream/service.ts";
import { BATCH, startTraced, tasksAndCalls } from "./tracedGateway.ts";

const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const UNSAMPLED = PARENT.replace(/01$/, "00");
const LIVE = "subscription { callEnded { sessionId task { name } } }";

describe("The trace of a query", () => {
  it("leads from the request over the operation, the resolver that waits and the batch to the service", async () => {
    const { ask, asked, collector } = await startTraced();
    expect((await ask(BATCH)).errors).toBeUndefined();
    const request = await collector.span("POST /graphql");
    const batch = await collector.span("load calls", ({ attributes }) => attributes["switchboard.batch.size"] === 2);
    const sent = await collector.span("GET /openapi/calllog", ({ parentSpanId }) => parentSpanId === batch.spanId);
    expect(await collector.pathTo(sent)).toEqual([
      "POST /graphql",
      "query",
      "Task.callLogs",
      "load calls",
      "GET /openapi/calllog",
    ]);
    // SERVER and CLIENT of the specification's SpanKind.
    expect([request.kind, sent.kind]).toEqual([2, 3]);
    const header = asked.find(({ headers }) => headers["traceparent"]?.includes(sent.spanId))?.headers["traceparent"];
    expect(header).toBe(`00-${request.traceId}-${sent.spanId}-01`);
    const task = await collector.span("GET /openapi/tasks/{taskID}");
    expect(await collector.pathTo(task)).toEqual(["POST /graphql", "query", "Query.task", "load task", task.name]);
    expect(await collector.span("Query.task")).toMatchObject({ attributes: { "switchboard.waits": 2 } });
    expect(await collector.span("query")).toMatchObject({
      attributes: { "graphql.operation.type": "query", "graphql.operation.name": "Batch" },
    });
    expect(request.attributes).toEqual({
      "http.request.method": "POST",
      "http.route": "/graphql",
      "http.response.status_code": 200,
    });
    expect(collector.resource()).toMatchObject({ "service.name": "switchboard" });
  });

  it("shows the code of a failure and not its text", async () => {
    const { ask, collector } = await startTraced({}, (response, asked, request) => {
      if (asked.target.startsWith("/openapi/tasks/")) response.writeHead(400).end("canary");
      else tasksAndCalls(response, asked, request);
    });
    await ask(`{ task(taskId: "7") { name } }`);
    const sent = await collector.span("GET /openapi/tasks/{taskID}");
    expect(sent).toMatchObject({ failed: true, attributes: { "error.type": "400", "http.response.status_code": 400 } });
    const operation = await collector.span("query");
    expect(operation).toMatchObject({ failed: true, attributes: { "error.type": "UPSTREAM_REJECTED" } });
    expect(collector.text()).not.toContain("canary");
  });

  it("begins with the operation on a WebSocket", async () => {
    const { url, collector } = await startTraced();
    const client = openSocket(url);
    await subscribe(client, `{ task(taskId: "7") { name } }`).next();
    const sent = await collector.span("GET /openapi/tasks/{taskID}");
    expect(await collector.pathTo(sent)).toEqual([
      "WebSocket subscribe",
      "query",
      "Query.task",
      "load task",
      sent.name,
    ]);
    await client.dispose();
  });
});

describe("The trace of a created task", () => {
  it("leads to the one request that creates it", async () => {
    const { ask, asked, collector } = await startTraced();
    const { data } = await ask<{ createTask: Payload }>(MUTATION, { input: taskInputFor("4") });
    expect(data?.createTask.submission).toMatchObject({ status: "ACCEPTED" });
    const sent = await collector.span("POST /openapi/tasks");
    expect(await collector.pathTo(sent)).toEqual(["POST /graphql", "mutation", "create task", "POST /openapi/tasks"]);
    const posts = asked.filter(({ method }) => method === "POST");
    expect(posts.map(({ headers }) => headers["traceparent"])).toEqual([`00-${sent.traceId}-${sent.spanId}-01`]);
  });
});

describe("A log line", () => {
  it("has the ID of the recorded trace of its work", async () => {
    const { deliver, collector, lines } = await startTraced();
    await deliver("no JSON");
    const { traceId } = await collector.span("POST /calllog");
    expect(lines.find(({ msg }) => String(msg).includes("quarantine"))).toMatchObject({ traceId });
  });
});

describe("The trace of a webhook", () => {
  it.each([
    ["a group of subscribers", LIVE],
    [
      "a subscriber that reads by itself",
      `subscription { ...live } fragment live on Subscription { callEnded { sessionId task { name } } }`,
    ],
  ])("leads to the commit, and the delivery to %s links to it", async (_, query) => {
    const { url, deliver, collector } = await startTraced();
    await using stream = await openSse(url, { query });
    await until(() => collector.spans().find(({ name }) => name === "subscription"));
    expect((await deliver(callEndedEvent())).status).toBe(200);
    await stream.next();
    const commit = await collector.span("commit event");
    expect(await collector.pathTo(commit)).toEqual(["POST /calllog", "commit event"]);
    expect(commit.attributes).toEqual({ "switchboard.outcome": "appended" });
    const delivery = await collector.span("deliver event", ({ links }) => links.includes(commit.spanId));
    expect(delivery.parentSpanId).toBe("");
    expect(delivery.traceId).not.toBe(commit.traceId);
    const sent = await collector.span("GET /openapi/tasks/{taskID}");
    expect(await collector.pathTo(sent)).toEqual(["deliver event", "CallEnded.task", "load task", sent.name]);
  });
});

describe("Sampling", () => {
  it("records nothing with always_off, and sends the service no traceparent", async () => {
    const { ask, deliver, asked, collector, stop } = await startTraced({
      OTEL_TRACES_SAMPLER: "parentbased_always_off",
    });
    await ask(BATCH);
    await deliver(callEndedEvent());
    expect(asked.length).toBeGreaterThan(0);
    for (const { headers } of asked) expect(headers).not.toHaveProperty("traceparent");
    await stop();
    expect(collector.spans()).toEqual([]);
  });

  it("records the given share of traces, each whole", async () => {
    const { ask, collector, stop } = await startTraced({
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.5",
    });
    const COUNT = 100;
    for (let at = 0; at < COUNT; at += 1) await ask("{ __typename }");
    await stop();
    const requests = collector.spans().filter(({ name }) => name === "POST /graphql");
    // Outside of this range once in a hundred million runs.
    expect(requests.length).toBeGreaterThan(COUNT * 0.2);
    expect(requests.length).toBeLessThan(COUNT * 0.8);
    expect(collector.spans().filter(({ name }) => name === "query")).toHaveLength(requests.length);
  });
});

describe("The traceparent of a request", () => {
  it("is continued behind a trusted proxy, with its decision", async () => {
    const { ask, asked, collector, stop } = await startTraced({ TRUST_PROXY: "1" });
    await ask(BATCH, {}, { traceparent: PARENT });
    expect(await collector.span("POST /graphql")).toMatchObject({
      traceId: PARENT.slice(3, 35),
      parentSpanId: PARENT.slice(36, 52),
    });
    const before = asked.length;
    await ask(BATCH, {}, { traceparent: UNSAMPLED });
    for (const { headers } of asked.slice(before)) expect(headers).not.toHaveProperty("traceparent");
    await stop();
    expect(collector.spans().filter(({ name }) => name === "POST /graphql")).toHaveLength(1);
  });

  it("is ignored without a proxy, because anybody could send it", async () => {
    const { ask, collector } = await startTraced();
    await ask("{ __typename }", {}, { traceparent: PARENT });
    const request = await collector.span("POST /graphql");
    expect(request.traceId).not.toBe(PARENT.slice(3, 35));
    expect(request.parentSpanId).toBe("");
  });
});

describe("A collector that is away", () => {
  it("costs one line of the log, and the gateway works and stops", async () => {
    // The exporter reads it by itself. It is too short for another try.
    vi.stubEnv("OTEL_EXPORTER_OTLP_TIMEOUT", "50");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { ask, lines } = await startTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
    const failures = () => lines.filter(({ msg }) => String(msg).startsWith("spans could not be sent"));
    await until(async () => {
      expect((await ask("{ __typename }")).errors).toBeUndefined();
      return failures().length > 0;
    });
    for (let at = 0; at < 20; at += 1) await ask("{ __typename }");
    expect(failures()).toMatchObject([{ level: "warn", batches: { ECONNREFUSED: 1 } }]);
  });

  it("does not hold up the end of the gateway for longer than a few seconds", async () => {
    const silent = await serve(() => undefined);
    const { ask, lines, stop } = await startTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: silent.url });
    await ask("{ __typename }");
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const state = { hasStopped: false };
    const stopped = stop().then(() => (state.hasStopped = true));
    while (!state.hasStopped) {
      await new Promise((resolve) => setImmediate(resolve));
      await vi.advanceTimersByTimeAsync(100);
    }
    vi.useRealTimers();
    await stopped;
    await silent[Symbol.asyncDispose]();
    expect(lines).toContainEqual(expect.objectContaining({ batches: { FLUSH_TIMEOUT: 1 } }));
  });
});

describe("The end of the gateway", () => {
  it("sends the spans that wait", async () => {
    const { ask, collector, stop } = await startTraced({ OTEL_BSP_SCHEDULE_DELAY: "600000" });
    await ask("{ __typename }");
    expect(collector.spans()).toEqual([]);
    await stop();
    expect(collector.spans().map(({ name }) => name)).toEqual(["query", "POST /graphql"]);
  });
});

describe("Without OTEL_EXPORTER_OTLP_ENDPOINT", () => {
  it("each part stays as it is, and the service gets no traceparent", async () => {
    const part = {} as never;
    const { pipeline, messages, executor, upstream, transport, taskSender, events, batch } = noTracing;
    expect(pipeline(part)).toBe(part);
    expect(messages(part)).toBe(part);
    expect(executor((wrap) => (wrap === undefined ? part : (null as never)))).toBe(part);
    expect(upstream(part)).toBe(part);
    expect(transport(part, "")).toBe(part);
    expect(taskSender(part, "")).toBe(part);
    expect(events(part)).toBe(part);
    expect(batch("", part)).toBe(part);
    const { ask, asked, collector, stop } = await startTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: "" });
    await ask(BATCH, {}, { traceparent: PARENT });
    for (const { headers } of asked) expect(headers).not.toHaveProperty("traceparent");
    await stop();
    expect(collector.text()).toBe("");
  });
});
