import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { startSandbox, type TestSandbox } from "../support/sandbox.ts";
import { databases, type DatabaseUnderTest } from "../store/databases.ts";
import { openSocket, openSse, subscribe, type StreamResult } from "../support/streams.ts";
import { until } from "../support/until.ts";

type Told = StreamResult<{ callEnded: { sessionId: string } }>;

async function start(database: DatabaseUnderTest): Promise<{ sandbox: TestSandbox; gateway: TestGateway }> {
  const parts = new AsyncDisposableStack();
  onTestFinished(() => parts.disposeAsync());
  const { url } = await database.create();
  const sandbox = parts.use(await startSandbox());
  return { sandbox, gateway: parts.use(await startGateway(sandbox, { DATABASE_URL: url })) };
}

async function deliver(gateway: TestGateway, own: Record<string, unknown> = {}): Promise<string> {
  const event = callEndedEvent({ task_id: 0, ...own });
  expect((await gateway.deliver(event)).status).toBe(200);
  return String(event.event_data["session_id"]);
}

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const LIST = /```graphql\n(query Today[^`]*)```/.exec(readme)?.[1] ?? "";

async function headOf(gateway: TestGateway): Promise<string> {
  const { data, errors } = await gateway.ask<{ callLogs: { headCursor: string } }>(LIST);
  expect(errors).toBeUndefined();
  return data?.callLogs.headCursor ?? "";
}

async function nextSession(stream: { next(): Promise<Told> }): Promise<string | undefined> {
  const { data, errors } = await stream.next();
  expect(errors).toBeUndefined();
  return data?.callEnded.sessionId;
}

const SUBSCRIPTION = "subscription($after: String) { callEnded(after: $after) { sessionId } }";

describe.each(databases)("The README's list hands over to the stream (%s)", (_, database) => {
  it("without a gap: a call that ends between list and subscription arrives, an earlier one does not", async () => {
    const { gateway } = await start(database);
    await deliver(gateway);
    const after = await headOf(gateway);
    const ended = [await deliver(gateway), await deliver(gateway)];
    await using sse = await openSse<{ callEnded: { sessionId: string } }>(gateway.url, {
      query: SUBSCRIPTION,
      variables: { after },
    });
    await using socket = subscribe<{ callEnded: { sessionId: string } }>(openSocket(gateway.url), SUBSCRIPTION, {
      after,
    });
    for (const stream of [sse, socket]) expect([await nextSession(stream), await nextSession(stream)]).toEqual(ended);
    const live = await deliver(gateway);
    for (const stream of [sse, socket]) expect(await nextSession(stream)).toBe(live);
  });

  it("without a gap: a call that ends while the service prepares the list arrives", async () => {
    const { sandbox, gateway } = await start(database);
    // The list needs several requests, one after the other.
    const match = { path: "/openapi/calllog" };
    await sandbox.control("POST", "faults", { kind: "latency", ms: 1000, times: 1, match });
    await sandbox.forget();
    const list = headOf(gateway);
    await until(async () => (await sandbox.requests()).length > 0);
    const ended = await deliver(gateway);
    const after = await list;
    await using stream = await openSse<{ callEnded: { sessionId: string } }>(gateway.url, {
      query: SUBSCRIPTION,
      variables: { after },
    });
    expect(await nextSession(stream)).toBe(ended);
  });
});
