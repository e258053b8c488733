// Attacks of viewers with access to some rows on a row of others: through every root field, node id, cursor, filter, statistic,
// subscription and recording address. The row of others must get the same answer as one that does not exist, to the letter of its
// errors, for the same number of requests to the service.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeId } from "../../src/resolvers/nodeId.ts";
import { bearer } from "../support/keys.ts";
import { takeMigratedDatabase } from "../support/postgres/migratedDatabase.ts";
import { openSocket, openSse, subscribe } from "../support/streams.ts";
import { seesCall, startWorld, type World, type WorldViewer } from "./accessWorld.ts";
import { attacks, range, subscriptions, type Target } from "./foreignAttacks.ts";
import { rootFields } from "./rootFields.ts";

/** A call that no viewer with access may see: no line, another assistant, submitted by nobody of them. */
const FOREIGN: Target = { sessionId: "a4", taskId: "9004", assistantId: "", submitter: "viewer-0", alertId: "" };
const NOTHING: Target = {
  sessionId: "z9",
  taskId: "9994",
  assistantId: "999999",
  submitter: "viewer-9",
  alertId: nodeId("Alert", "999999"),
};

/** A viewer without access finds only its own, too. */
const OF_THE_VIEWER = ["Query.taskSubmissionByKey"];
/** They name no row: accessProperty.test.ts asks them, and "shows nothing of a row of others" below. */
const WITHOUT_TARGET = ["Query.tasks", "Query.taskSubmissions"];
const STREAMS = ["Subscription.callEnded", "Subscription.callEndedStream", "Subscription.recordingSettled"];
/** A task that is submitted is the viewer's own. */
const MUTATIONS = ["Mutation.checkTask", "Mutation.createTask"];

describe.each(["SQLite", "PostgreSQL"])("A row of others on %s", (database) => {
  const parts = new AsyncDisposableStack();
  let world: World;
  let foreign: Target;
  let viewers: WorldViewer[];

  beforeAll(async () => {
    const url = database === "SQLite" ? null : parts.use(await takeMigratedDatabase()).url;
    world = parts.use(await startWorld(url, 1, 0));
    const alertId = world.alerts.find(({ taskId }) => taskId === FOREIGN.taskId)?.id ?? "";
    foreign = { ...FOREIGN, assistantId: world.A, alertId };
    viewers = world.viewers.filter(({ access }) => access !== null && !access.assistantIds?.includes(world.A));
    expect(viewers.map(({ access }) => Object.keys(access ?? {})[0] ?? "").toSorted()).toEqual([
      "assistantIds",
      "lineIds",
      "submittedBy",
      "taskIds",
    ]);
  });
  afterAll(() => parts.disposeAsync());

  const textOf = async (viewer: string, query: string) => {
    const answer = await world.gateway.ask<unknown>(query, {}, { authorization: bearer(viewer) });
    return withoutRequestIds(answer);
  };
  /** The answer, and how many requests each path of the service got for it. */
  async function observe(viewer: string, query: string) {
    await world.sandbox.forget();
    const answer = await textOf(viewer, query);
    const requests = (await world.sandbox.requests()).map(
      ({ method, path }) => `${method} ${path.replace(/\d+/g, "#")}`,
    );
    return { answer, requests };
  }

  it.each(Object.keys(attacks))("is answered like nothing by %s", async (field) => {
    for (const attack of attacks[field] ?? []) {
      for (const { name, access } of viewers) {
        const [ofForeign, ofNothing] = [attack(foreign), attack(NOTHING)];
        // The attack finds the row where it may be seen. So it also fills every cache, which must make no difference.
        const [whole, empty] = [await textOf("everything", ofForeign), await textOf("everything", ofNothing)];
        if (!OF_THE_VIEWER.includes(field)) expect(whole, ofForeign).not.toEqual(empty);
        await textOf(name, ofForeign);
        const seen = await observe(name, ofForeign);
        expect(seen, `${JSON.stringify(access)} ${ofForeign}`).toEqual(await observe(name, ofNothing));
      }
    }
  });

  it.each(Object.keys(subscriptions))("is told like nothing by %s", async (field) => {
    const query = subscriptions[field] as (target: Target) => string;
    for (const { name, access } of viewers) {
      const firstOf = async (target: Target) => {
        await using sse = await openSse<unknown>(
          world.gateway.url,
          { query: query(target) },
          { authorization: bearer(name) },
        );
        await using socket = subscribe<unknown>(openSocket(world.gateway.url, bearer(name)), query(target));
        return [withoutRequestIds(await sse.next()), withoutRequestIds(await socket.next())];
      };
      expect(await firstOf(foreign), JSON.stringify(access)).toEqual(await firstOf(NOTHING));
    }
  });

  it("is found by no cursor of a viewer who sees it", async () => {
    const lists = [
      "tasks(first: 1",
      `callLogs(first: 1, filter: { taskIds: ["9001"], ${range} }`,
      "taskSubmissions(first: 1",
    ];
    for (const list of lists) {
      const page = (after: string) => `{ list: ${list}${after}) { pageInfo { endCursor } edges { cursor } } }`;
      const { data } = await world.gateway.ask<{ list: { pageInfo: { endCursor: string } } }>(
        page(""),
        {},
        { authorization: bearer("everything") },
      );
      const cursor = data?.list.pageInfo.endCursor ?? "";
      expect(cursor).not.toBe("");
      for (const { name } of viewers) {
        const given = await textOf(name, page(`, after: "${cursor}"`));
        expect(given, `${name} ${list}`).toEqual(await textOf(name, page(`, after: "${cursor.slice(0, -2)}AA"`)));
      }
    }
  });

  it("shows nothing in lists, statistics and replays without a filter, behind the row's own cursor or before it", async () => {
    const all = "{ callEndedEvents(first: 100) { nodes { sessionId cursor } } }";
    const { data } = await world.gateway.ask<{ callEndedEvents: { nodes: { sessionId: string; cursor: string }[] } }>(
      all,
      {},
      { authorization: bearer("everything") },
    );
    const nodes = data?.callEndedEvents.nodes ?? [];
    const before = nodes[nodes.findIndex(({ sessionId }) => sessionId === "a4") - 1]?.cursor ?? "";
    expect(before).not.toBe("");
    const queries = [
      all,
      `{ callEndedEvents(first: 100, after: "${before}") { nodes { sessionId taskId } } }`,
      `{ callEndedEvents(first: 100, order: NEWEST_FIRST) { nodes { sessionId taskId } } }`,
      `{ callEndedEvents(filter: { phone: "13800010001" }) { nodes { sessionId taskId } } }`,
      `{ callStats { byTask { taskId calls } byAssistant { assistantId calls } } }`,
      `{ callLogs(first: 100, filter: { ${range} }) { nodes { sessionId taskId } } }`,
      "{ tasks(first: 100) { edges { node { taskId name } } } }",
      "{ taskSubmissions(first: 100) { nodes { id taskId } } }",
      "{ assistants { hasMore } lines { hasMore } }",
      '{ tasksByIds(taskIds: ["9001", "9002", "9003"]) { taskId callLogs { nodes { sessionId taskId } } } }',
    ];
    for (const { name } of viewers)
      for (const query of queries)
        expect(JSON.stringify(await textOf(name, query)), `${name} ${query}`).not.toMatch(/"a4"|9004/);
  });

  it("is not replayed to an EventSource that resumes before it", async () => {
    const all = "{ callEndedEvents(first: 1) { nodes { cursor } } }";
    const { data } = await world.gateway.ask<{ callEndedEvents: { nodes: { cursor: string }[] } }>(
      all,
      {},
      { authorization: bearer("everything") },
    );
    const id = data?.callEndedEvents.nodes[0]?.cursor ?? "";
    for (const viewer of viewers) {
      // A viewer by line must name its tasks.
      const own = world.calls.slice(1).filter((call) => seesCall(viewer, call));
      const filter = viewer.access?.lineIds ? '(filter: { taskIds: ["9001"] })' : "";
      const query = `subscription { callEnded${filter} { sessionId } }`;
      const headers = { authorization: bearer(viewer.name), "last-event-id": id };
      await using live = await openSse<unknown>(world.gateway.url, { query }, headers);
      for (const { sessionId } of own)
        expect(await live.next(), viewer.name).toEqual({ data: { callEnded: { sessionId } } });
    }
  });

  it("has no recording address that can be guessed", async () => {
    const signed = (sessionId: string) =>
      fetch(`${world.gateway.url}/recordings/${encodeURIComponent(sessionId)}?expires=4000000000&signature=x`, {
        headers: { authorization: bearer("viewer-0") },
      });
    const [one, other] = [await signed("a4"), await signed("z9")];
    expect([one.status, await one.text()]).toEqual([other.status, await other.text()]);
    expect(one.status).toBeGreaterThanOrEqual(400);
  });

  it("is attacked through every root field that shows rows", () => {
    const all = [...Object.keys(attacks), ...Object.keys(subscriptions), ...WITHOUT_TARGET, ...STREAMS, ...MUTATIONS];
    expect(all.toSorted()).toEqual([...rootFields.own, ...rootFields.ofSubmitters].toSorted());
  });
});

/** Each answer has a request of its own. */
function withoutRequestIds(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer, (key, value: unknown) => (key === "requestId" ? "" : value)));
}
