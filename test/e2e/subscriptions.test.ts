import { beforeEach, describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { connectTestSandbox } from "../support/gateway.ts";
import { startBoth } from "../support/startBoth.ts";
import { openSocket, openSse, subscribe, type Stream, type StreamResult } from "../support/streams.ts";
import { until } from "../support/until.ts";

const { sandbox, gateway } = await startBoth();
beforeEach(() => sandbox.forget());

interface Told {
  callEnded: { cursor: string; sessionId: string; task: { name: string } | null };
}
const SUBSCRIPTION = `subscription($after: String, $filter: CallEndedFilter) {
  callEnded(after: $after, filter: $filter) { cursor sessionId task { name } } }`;

type Variables = { after?: string; filter?: object };
type Open = (variables: Variables) => Promise<Stream<StreamResult<Told>>>;

const transports: [string, Open][] = [
  ["server-sent events", (variables) => openSse<Told>(gateway.url, { query: SUBSCRIPTION, variables })],
  ["WebSocket", async (variables) => subscribe<Told>(openSocket(gateway.url), SUBSCRIPTION, { ...variables })],
];

async function head(): Promise<string> {
  const { data } = await gateway.ask<{ callEndedEvents: { headCursor: string } }>("{ callEndedEvents { headCursor } }");
  return data?.callEndedEvents.headCursor ?? "";
}

async function deliver(data: Record<string, unknown> = {}): Promise<string> {
  const event = callEndedEvent({ task_id: 0, ...data });
  expect((await gateway.deliver(event)).status).toBe(200);
  return String(event.event_data["session_id"]);
}

describe.each(transports)("A subscription to ended calls over %s", (_, open) => {
  it("gets missed calls in order, then live ones, without gap or repeat", async () => {
    const after = await head();
    const missed = [await deliver(), await deliver(), await deliver()];
    await using stream = await open({ after });
    const received: string[] = [];
    while (received.length < 3) received.push((await stream.next()).data?.callEnded.sessionId ?? "");
    const live = [await deliver(), await deliver()];
    while (received.length < 5) received.push((await stream.next()).data?.callEnded.sessionId ?? "");
    expect(received).toEqual([...missed, ...live]);
  });

  it("gets the later calls again from any cursor", async () => {
    const after = await head();
    const sessions = [await deliver(), await deliver(), await deliver()];
    await using first = await open({ after });
    const { data } = await first.next();
    await using second = await open({ after: data?.callEnded.cursor ?? "" });
    expect((await second.next()).data?.callEnded.sessionId).toBe(sessions[1]);
    expect((await second.next()).data?.callEnded.sessionId).toBe(sessions[2]);
  });

  it("gets a call once that is delivered many times", async () => {
    const after = await head();
    await using stream = await open({ after });
    const event = callEndedEvent({ task_id: 0 });
    for (let copy = 0; copy < 5; copy += 1) await gateway.deliver(event);
    const next = await deliver();
    expect((await stream.next()).data?.callEnded.sessionId).toBe(event.event_data["session_id"]);
    expect((await stream.next()).data?.callEnded.sessionId).toBe(next);
  });

  it("gets only the calls that match its filter", async () => {
    const after = await head();
    await using stream = await open({ after, filter: { direction: "INBOUND", answered: true } });
    await deliver({ direction: "outbound" });
    await deliver({ direction: "inbound", answer_at: "", billsec: 0 });
    const wanted = await deliver({ direction: "inbound" });
    expect((await stream.next()).data?.callEnded.sessionId).toBe(wanted);
  });

  it("gets the current task of each event, which is loaded anew", async () => {
    const rename = (name: string) =>
      sandbox.control("POST", "seed", { tasks: [{ id: 777, name, createdAt: "2026-01-05 08:00:00" }] });
    const after = await head();
    await using stream = await open({ after });
    await rename("Before");
    await deliver({ task_id: 777 });
    expect((await stream.next()).data?.callEnded.task?.name).toBe("Before");
    await rename("After");
    await deliver({ task_id: 777 });
    expect((await stream.next()).data?.callEnded.task?.name).toBe("After");
  });

  it("rejects a forged cursor", async () => {
    await using stream = await open({ after: "0000000001AAAAAAAAAAAAAAAA" });
    const codes = await stream.next().then(
      ({ errors }) => errors?.map(({ extensions }) => extensions?.["code"]),
      (error: unknown) =>
        [(error as { extensions: object }[])[0]?.extensions].map((found) => (found as { code: string }).code),
    );
    expect(codes).toEqual(["CURSOR_INVALID"]);
  });

  it("returns null only for the field that fails", async () => {
    const after = await head();
    await using stream = await open({ after });
    await sandbox.control("POST", "faults", {
      kind: "status",
      status: 500,
      match: { path: "/openapi/tasks/778" },
      times: 3,
    });
    const sessionId = await deliver({ task_id: 778 });
    const { data, errors } = await stream.next();
    expect(data?.callEnded).toMatchObject({ sessionId, task: null });
    expect(errors?.map(({ extensions }) => extensions?.["code"])).toEqual(["UPSTREAM_UNAVAILABLE"]);
  });
});

describe("A subscription whose reader leaves", () => {
  it("ends at once over WebSocket, while others continue", async () => {
    const client = openSocket(gateway.url);
    const after = await head();
    const leaving = client.iterate({ query: SUBSCRIPTION, variables: { after } });
    const waiting = leaving.next();
    await leaving.return?.();
    expect((await waiting).done).toBe(true);
    const answer = client.iterate({ query: "{ serviceTimeZone }" });
    expect((await answer.next()).value).toEqual({ data: { serviceTimeZone: "Asia/Shanghai" } });
    await client.dispose();
  });
});

describe("The sandbox's own calls", () => {
  it("arrive by a webhook with the configured header", async () => {
    const after = await head();
    await connectTestSandbox(sandbox, gateway);
    await using stream = await openSse<Told>(gateway.url, { query: SUBSCRIPTION, variables: { after } });
    const sessionId = await sandbox.endCall({ direction: "inbound" });
    const event = await until(async () => {
      const { data } = await stream.next();
      return data?.callEnded.sessionId === sessionId && data.callEnded;
    });
    expect(event).toMatchObject({ sessionId, cursor: expect.any(String) });
    await sandbox.control("DELETE", "webhook");
  });
});
