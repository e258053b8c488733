import { describe, expect, it, onTestFinished } from "vitest";
import { audio, host } from "../recordings/hosts.ts";
import { FIELDS, settled, type Recording } from "../recordings/world.ts";
import { databases, type DatabaseUnderTest } from "../store/databases.ts";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { startSandbox } from "../support/sandbox.ts";
import { openSocket, openSse, subscribe, type Stream, type StreamResult } from "../support/streams.ts";
import { until } from "../support/until.ts";

interface Told {
  cursor: string;
  sessionId: string;
  recording: Recording | null;
}
type Live = Stream<StreamResult<{ told: Told }>>;

const EVENT = `cursor sessionId recording { ${FIELDS} }`;
const roots = [
  ["callEnded", EVENT],
  ["callEndedStream", `cursor ... on CallEnded { sessionId recording { ${FIELDS} } }`],
] as const;
const subscription = ([root, fields]: (typeof roots)[number], after: string | null = null) =>
  `subscription { told: ${root}(after: ${JSON.stringify(after)}) { ${fields} } }`;

/** A host of recordings that answers only when `release` was called. */
async function slowHost() {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const files = await host((request, response) => void promise.then(() => audio(request, response)));
  return { files, release };
}

async function start(database: DatabaseUnderTest, hosts: string): Promise<TestGateway> {
  const parts = new AsyncDisposableStack();
  onTestFinished(() => parts.disposeAsync());
  const { url } = await database.create();
  const sandbox = parts.use(await startSandbox());
  return parts.use(await startGateway(sandbox, { DATABASE_URL: url, RECORDING_HOSTS: hosts }));
}

/** Skips checkpoints. */
async function nextEvent(stream: Live): Promise<Told> {
  for (;;) {
    const { data, errors } = await stream.next();
    if (errors) throw new Error(JSON.stringify(errors));
    if (data?.told.sessionId !== undefined) return data.told;
  }
}

/** Each root field by both transports, two subscribers each, which share their executions. */
async function subscribeAll(gateway: TestGateway): Promise<Live[]> {
  const streams: Live[] = [];
  for (const root of [...roots, ...roots]) {
    const query = subscription(root);
    streams.push(await openSse<{ told: Told }>(gateway.url, { query }));
    streams.push(subscribe<{ told: Told }>(openSocket(gateway.url), query));
  }
  for (const stream of streams) onTestFinished(() => stream[Symbol.asyncDispose]());
  // Each subscriber is active once it has received an event.
  const first = callEndedEvent({ task_id: 0, record_url: "" });
  const received = Promise.all(streams.map(async (stream) => nextEvent(stream)));
  await activeSubscribers(gateway, streams.length);
  await gateway.deliver(first);
  await received;
  return streams;
}

async function activeSubscribers(gateway: TestGateway, count: number): Promise<void> {
  await until(async () => {
    const query = "{ gateway { subscribers } }";
    const { data } = await gateway.ask<{ gateway: { subscribers: number } }>(query);
    return data?.gateway.subscribers === count;
  });
}

async function deliver(gateway: TestGateway, recordUrl: string): Promise<string> {
  const event = callEndedEvent({ task_id: 0, record_url: recordUrl });
  expect((await gateway.deliver(event)).status).toBe(200);
  return String(event.event_data["session_id"]);
}

const newest = async (gateway: TestGateway) => {
  const query = `{ callEndedEvents(first: 1, order: NEWEST_FIRST) { nodes { ${EVENT} callLog { recording { status } } } } }`;
  const { data } = await gateway.ask<{ callEndedEvents: { nodes: (Told & { callLog: Told })[] } }>(query);
  return data?.callEndedEvents.nodes[0];
};

describe.each(databases)("The recording of a live event (%s)", (_, database) => {
  it("is PENDING in the same event, for every subscriber, and ARCHIVED in a replay", async () => {
    const { files, release } = await slowHost();
    const gateway = await start(database, new URL(files.url).host);
    const streams = await subscribeAll(gateway);
    for (let call = 0; call < 5; call += 1) {
      const sessionId = await deliver(gateway, `${files.url}/${call}.wav`);
      const asked = await newest(gateway);
      expect(asked).toMatchObject({
        sessionId,
        recording: { status: "PENDING" },
        callLog: { recording: { status: "PENDING" } },
      });
      const id = asked?.recording?.id;
      const { data } = await gateway.ask("query($id: ID!) { node(id: $id) { ... on Recording { status } } }", { id });
      expect(data).toEqual({ node: { status: "PENDING" } });
      for (const stream of streams) {
        const told = await nextEvent(stream);
        expect(told).toMatchObject({
          sessionId,
          recording: { status: "PENDING", url: null, failure: null, bytes: null },
        });
      }
    }
    const before = await newest(gateway);
    const last = await deliver(gateway, `${files.url}/last.wav`);
    release();
    await settled(gateway, last, "ARCHIVED");
    for (const root of roots) {
      await using replay = await openSse<{ told: Told }>(gateway.url, { query: subscription(root, before?.cursor) });
      expect(await nextEvent(replay)).toMatchObject({ sessionId: last, recording: { status: "ARCHIVED" } });
    }
  });

  it("is null once the call was erased, although its download had not ended", async () => {
    const { files } = await slowHost();
    const gateway = await start(database, new URL(files.url).host);
    const sessionId = await deliver(gateway, `${files.url}/1.wav`);
    const event = await newest(gateway);
    expect(event?.recording?.status).toBe("PENDING");
    const mutation = 'mutation { forgetPhone(number: "+8613800010001") { events } }';
    expect((await gateway.ask(mutation)).data).toEqual({ forgetPhone: { events: 1 } });
    const query =
      "query($id: ID!, $session: ID!) { node(id: $id) { id } callEnded(sessionId: $session) { sessionId } }";
    const { data } = await gateway.ask(query, { id: event?.recording?.id, session: sessionId });
    expect(data).toEqual({ node: null, callEnded: null });
    expect(await newest(gateway)).toBeUndefined();
  });

  it("is null without an address, and LOST at once for an address that is refused", async () => {
    const gateway = await start(database, "nowhere.invalid");
    await using stream = await openSse<{ told: Told }>(gateway.url, { query: subscription(roots[0]) });
    await activeSubscribers(gateway, 1);
    await deliver(gateway, "");
    expect((await nextEvent(stream)).recording).toBeNull();
    for (let call = 0; call < 5; call += 1) {
      await deliver(gateway, "https://elsewhere.example/1.wav");
      expect(await newest(gateway)).toMatchObject({ recording: { status: "LOST" } });
      const { recording } = await nextEvent(stream);
      expect(recording).toMatchObject({ status: "LOST", failure: expect.stringContaining("host") as string });
    }
  });
});
