// The cursors of a viewer with access to some rows tell nothing of the rows of others, wherever they are shown.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { scopes } from "../../src/auth/scopes.ts";
import { createEventCursors } from "../../src/events/logEntry.ts";
import { restrictContext } from "../../src/resolvers/access/restrictContext.ts";
import { callEndedEvents, followCallEnded } from "../../src/resolvers/callEnded.ts";
import { callEnded, headOf, logOver, signer } from "../events/callEnded.ts";
import { world } from "../resolvers/world.ts";
import { tempStore } from "../store/tempStore.ts";
import { startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { startSandbox } from "../support/sandbox.ts";
import { openSocket, subscribe } from "../support/streams.ts";
import { event } from "./ownRowsWorld.ts";

/** Answers to many queries. */
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;
/** The number of an entry in base 36, and a signature. */
const PLAIN = /^0[0-9a-z]{9}[\w-]{16}$/;
const OWN = `{ callEndedEvents(first: 100) {
  headCursor nodes { sessionId cursor } edges { cursor } pageInfo { startCursor endCursor } } }`;
const parts = new AsyncDisposableStack();
let gateway: TestGateway;

const as = (viewer: string) => ({ authorization: bearer(viewer) });
const ask = async (viewer: string, query: string, variables = {}): Promise<Json> => {
  const { data, errors } = await gateway.ask<Json>(query, variables, as(viewer));
  expect(errors).toBeUndefined();
  return data;
};
const idsOf = ({ callEndedEvents: page }: Json) => page.nodes.map(({ sessionId }: Json) => sessionId);

/** The first items of server-sent events, with their IDs. */
async function readSse(
  viewer: string,
  query: string,
  count: number,
  headers = {},
  onFirst = () => undefined as void,
): Promise<{ id: string; data: Json }[]> {
  const leave = new AbortController();
  const response = await fetch(`${gateway.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream", ...as(viewer), ...headers },
    body: JSON.stringify({ query }),
    signal: leave.signal,
  });
  const items: { id: string; data: Json }[] = [];
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const id = /^id: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (id !== undefined) items.push({ id, data: data ? JSON.parse(data).data : null });
      if (items.length > 0) onFirst();
    }
    if (items.length >= count) break;
  }
  leave.abort();
  return items;
}

beforeAll(async () => {
  const sandbox = parts.use(await startSandbox());
  const directory = parts.use(await temporaryDirectory());
  const viewers = { bound: { taskIds: ["9001"] } };
  const keys = await writeKeys(directory.path, { everything: scopes, bound: scopes }, viewers);
  gateway = parts.use(await startGateway(sandbox, { API_KEYS_FILE: keys, RATE_LIMIT: "1000000" }));
  for (const [id, task] of ["9001", "9002", "9002", "9001", "9002"].entries()) {
    await gateway.deliver(event(`s-${id}`, task, ["11"]));
  }
});
afterAll(() => parts.disposeAsync());

describe("A92: a viewer with access to some rows", () => {
  it("gets hidden cursors in pages and lists", async () => {
    const { callEndedEvents: page } = await ask("bound", OWN);
    const { callLogs, callEnded: call } = await ask(
      "bound",
      `{ callLogs(filter: { taskIds: ["9001"] }) { headCursor } callEnded(sessionId: "s-3") { cursor } }`,
    );
    const { headCursor, nodes, edges, pageInfo } = page;
    const shown = [headCursor, callLogs.headCursor, pageInfo.startCursor, pageInfo.endCursor];
    const ofEvents = nodes.map(({ cursor }: Json) => cursor);
    for (const cursor of [...shown, ...ofEvents]) expect(cursor).toMatch(/^[\w-]{38}$/);
    expect(edges.map(({ cursor }: Json) => cursor)).toEqual(ofEvents);
    expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([ofEvents.at(0), ofEvents.at(-1)]);
    expect(call.cursor).toBe(ofEvents.at(-1));
    expect((await ask("bound", OWN)).callEndedEvents.nodes).toEqual(nodes);
  });

  it("cannot tell by two heads whether others had calls in between", async () => {
    const heads = await Promise.all(Array.from({ length: 5 }, () => ask("bound", OWN)));
    expect(new Set(heads.map((data) => data.callEndedEvents.headCursor)).size).toBe(5);
  });

  it("goes on after each of them, and after a plain one; another viewer goes on after a hidden one", async () => {
    const query = `query ($after: String) { callEndedEvents(after: $after) { headCursor nodes { sessionId cursor } } }`;
    const { callEndedEvents: bound } = await ask("bound", query);
    const { callEndedEvents: whole } = await ask("everything", query);
    expect(bound.nodes.map(({ sessionId }: Json) => sessionId)).toEqual(["s-0", "s-3"]);
    const [hidden, plain] = [bound.nodes[0].cursor, whole.nodes[0].cursor];
    expect(idsOf(await ask("bound", query, { after: hidden }))).toEqual(["s-3"]);
    expect(idsOf(await ask("bound", query, { after: plain }))).toEqual(["s-3"]);
    expect(idsOf(await ask("bound", query, { after: bound.headCursor }))).toEqual([]);
    expect(idsOf(await ask("everything", query, { after: hidden }))).toEqual(["s-1", "s-2", "s-3", "s-4"]);
  });

  it("gets hidden cursors in streams and as IDs of server-sent events, and resumes with them", async () => {
    const query = `subscription ($after: String) { callEndedStream(after: $after) { __typename cursor ... on CallEnded { sessionId } } }`;
    const [first, ...others] = (await ask("bound", OWN)).callEndedEvents.nodes;
    await using live = subscribe<Json>(openSocket(gateway.url, bearer("bound")), query, { after: first.cursor });
    const checkpoint = (await live.next()).data.callEndedStream;
    const replayed = (await live.next()).data.callEndedStream;
    // After the replay it joins a shared group.
    await gateway.deliver(event("foreign", "9002", ["11"]));
    await gateway.deliver(event("own", "9001", ["11"]));
    const added = (await live.next()).data.callEndedStream;
    expect([replayed.sessionId, added.sessionId]).toEqual(["s-3", "own"]);
    for (const { cursor } of [checkpoint, replayed, added]) expect(cursor).toMatch(/^[\w-]{38}$/);
    expect(replayed.cursor).toBe(others[0].cursor);

    const events = `subscription { callEnded(after: ${JSON.stringify(first.cursor)}) { sessionId cursor } }`;
    const items = (await readSse("bound", events, 3)).filter(({ data }) => data !== null);
    expect(items.map(({ data }) => data.callEnded.sessionId)).toEqual(["s-3", "own"]);
    for (const { id, data } of items) expect(id).toBe(data.callEnded.cursor);
    const resumed = await readSse("bound", events, 2, { "last-event-id": items[0]?.id });
    expect(resumed.filter(({ data }) => data !== null).map(({ data }) => data.callEnded.sessionId)).toEqual(["own"]);
    for (const { id } of resumed) expect(id).not.toMatch(PLAIN);
  });

  it("gets hidden cursors in the IDs of a shared group", async () => {
    const query = `subscription { callEnded { sessionId } }`;
    const opened = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const reading = opened.map(({ resolve }) => readSse("bound", query, 2, {}, resolve));
    await Promise.all(opened.map(({ promise }) => promise));
    await gateway.deliver(event("shared", "9001", ["11"]));
    const [one = [], two = []] = await Promise.all(reading);
    expect(one.at(-1)).toEqual(two.at(-1));
    for (const { id } of [...one, ...two]) expect(id).toMatch(/^[\w-]{38}$/);
  });

  it("without access still gets cursors that sort like the log", async () => {
    const { callEndedEvents: page } = await ask("everything", OWN);
    const cursors: string[] = page.nodes.map(({ cursor }: Json) => cursor);
    for (const cursor of [...cursors, page.headCursor]) expect(cursor).toMatch(PLAIN);
    expect(cursors.toSorted()).toEqual(cursors);
  });
});

describe("A92: an error that says where to go on", () => {
  const { hidden } = createEventCursors(signer);

  async function purged() {
    const store = await tempStore();
    const events = await logOver(store.events);
    const start = await headOf(events);
    for (const sessionId of ["1", "2", "3"]) await events.append(callEnded({ sessionId, taskId: "7" }), "WEBHOOK");
    // A log that is opened later reads them from the database.
    const own = { events: await logOver(store.events), hiddenCursors: hidden };
    const context = restrictContext(world({ own }).context, { taskIds: ["7"] });
    const whole = world({ own }).context;
    return { start, context, whole, purge: () => store.events.purge("2027", 2) };
  }
  const args = { first: 5, order: "oldestFirst", revisions: false } as const;

  it("hides its cursor from a viewer with access, where a page or a stream begins and where a stream ends", async () => {
    const { start, context, whole, purge } = await purged();
    const stream = await followCallEnded({ ...args, after: start }, context);
    await purge();
    const failures = [
      await stream.next().catch((error: unknown) => error),
      await callEndedEvents({ ...args, after: start }, context).catch((error: unknown) => error),
      await followCallEnded({ ...args, after: start }, context).catch((error: unknown) => error),
    ] as { code: string; cursor: string }[];
    for (const { code, cursor } of failures) {
      expect(code).toBe("CURSOR_EXPIRED");
      expect(cursor).toMatch(/^[\w-]{38}$/);
      const resumed = await followCallEnded({ ...args, after: cursor }, context);
      onTestFinished(async () => void (await resumed.return?.()));
      expect(await resumed.next()).toMatchObject({ value: { sessionId: "3" } });
    }
    const page = callEndedEvents({ ...args, after: start }, whole);
    await expect(page).rejects.toMatchObject({ code: "CURSOR_EXPIRED", cursor: expect.stringMatching(PLAIN) });
  });
});
