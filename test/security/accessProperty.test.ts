// A viewer with any `access` sees exactly what a rule over all rows says: on every root field that shows rows, on every transport,
// on both databases. A row of others is answered like one that does not exist.
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeId } from "../../src/resolvers/nodeId.ts";
import { bearer } from "../support/keys.ts";
import { openSocket, openSse, subscribe, type Stream, type StreamResult } from "../support/streams.ts";
import { takeMigratedDatabase } from "../support/postgres/migratedDatabase.ts";
import { AS_NOTHING, normalized, UNCHECKED } from "./accessAnswers.ts";
import { questionsOf } from "./accessQuestions.ts";
import { rootFields } from "./rootFields.ts";
import {
  eventOf,
  ownsTask,
  seesAlert,
  seesCall,
  seesTask,
  startWorld,
  TASKS,
  NO_TASK,
  type World,
  type WorldViewer,
} from "./accessWorld.ts";
import { askByGet, transports, type GraphqlResult } from "./transports.ts";

const VIEWERS = 24;
const RUNS = 400;
/** Another run may draw other viewers and questions: the seed is in the title of a test that fails. */
const SEED = Number(process.env["ACCESS_SEED"] ?? Date.now() % 1_000_000);

type Ask = (viewer: string, query: string) => Promise<GraphqlResult>;

describe.each(["SQLite", "PostgreSQL"])(`Rows of one's own on %s (ACCESS_SEED=${SEED})`, (name) => {
  const parts = new AsyncDisposableStack();
  let world: World;
  let asks: Record<string, Ask>;

  beforeAll(async () => {
    const database = name === "SQLite" ? null : parts.use(await takeMigratedDatabase());
    world = parts.use(await startWorld(database?.url ?? null, SEED, VIEWERS));
    const { url } = world.gateway;
    const opened = Object.fromEntries(
      transports.map(([transport, open]): [string, Ask] => {
        const connections = new Map<string, ReturnType<typeof open>>();
        return [
          transport,
          async (viewer, query) => {
            const connection = connections.getOrInsertComputed(viewer, () => open(url, bearer(viewer)));
            return (await connection).ask({ query });
          },
        ];
      }),
    );
    asks = { ...opened, GET: (viewer, query) => askByGet(url, { query }, bearer(viewer)) };
  });
  afterAll(() => parts.disposeAsync());

  it("are all that any query shows", async () => {
    const viewer = fc.constantFrom(...world.viewers);
    const transport = fc.constantFrom(...Object.keys(asks));
    await fc.assert(
      fc.asyncProperty(viewer, questionsOf(world), transport, async (of, question, by) => {
        const ask = asks[by] as Ask;
        const answer = await ask(of.name, question.query);
        const expected = question.expected(of);
        if (expected !== AS_NOTHING && expected !== UNCHECKED)
          expect(normalized(answer), `${of.name} ${question.query}`).toEqual(expected);
        if (!isEmptyAnswer(expected) || question.aboutNothing === null) return;
        const nothing = await ask(of.name, question.aboutNothing);
        expect(withoutIds(answer), `${of.name} ${question.query}`).toEqual(withoutIds(nothing));
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    );
  });

  it("are all that a subscription replays", async () => {
    const first = `{ callEndedEvents(first: 1) { nodes { cursor } } }`;
    const { data } = await world.gateway.ask<{ callEndedEvents: { nodes: { cursor: string }[] } }>(
      first,
      {},
      { authorization: bearer("everything") },
    );
    const after = data?.callEndedEvents.nodes[0]?.cursor ?? "";
    for (const [at, viewer] of world.viewers.entries()) {
      const own = Object.keys(TASKS).filter((taskId) => ownsTask(viewer, taskId));
      const isByLine = viewer.access?.lineIds !== undefined;
      const filter = isByLine ? `, filter: { taskIds: ${JSON.stringify(own)} }` : "";
      const args = `after: ${JSON.stringify(after)}${filter}`;
      const query = `subscription { callEnded(${args}) { sessionId } }`;
      const stream = `subscription { callEndedStream(${args}) { ... on CallEnded { sessionId } } }`;
      await using live = await openStream<Told>(viewer, query, at);
      await using items = await openStream<Told>(viewer, stream, at + 1);
      if (isByLine && own.length === 0) {
        for (const each of [live, items])
          expect((await each.next()).errors, viewer.name).toMatchObject([{ extensions: { code: "FORBIDDEN" } }]);
        continue;
      }
      for (const { sessionId } of world.calls.slice(1).filter((call) => seesCall(viewer, call))) {
        expect((await live.next()).data?.callEnded, viewer.name).toEqual({ sessionId });
        expect(await nextCall(items), viewer.name).toBe(sessionId);
      }
    }
  });

  it("are all whose progress is told", async () => {
    for (const [at, viewer] of world.viewers.entries()) {
      const taskId = [...Object.keys(TASKS), NO_TASK][at % 5] as string;
      const query = `subscription { taskProgress(taskId: "${taskId}") { taskId } }`;
      await using live = await openStream<{ taskProgress: unknown }>(viewer, query, at);
      const isOwn = seesTask(viewer, taskId, world.assistantOf(taskId));
      expect((await live.next()).data, `${viewer.name} ${taskId}`).toEqual({ taskProgress: isOwn ? { taskId } : null });
    }
  });

  it("are the only submissions that are watched", async () => {
    for (const [at, viewer] of world.viewers.entries()) {
      const id = (name: string) => nodeId("TaskSubmission", `${name} 9002`);
      const query = (name: string) => `subscription { taskSubmission(id: "${id(name)}") { status } }`;
      const first = async (name: string) => {
        await using live = await openStream<{ taskSubmission: unknown }>(viewer, query(name), at);
        const { data, errors } = await live.next();
        return errors?.[0]?.extensions?.["code"] ?? data?.taskSubmission;
      };
      const isSubmitter = JSON.stringify(viewer.access) === JSON.stringify({ submittedBy: "self" });
      const nothing = isSubmitter || !viewer.access ? null : "FORBIDDEN";
      expect(await first("nobody"), viewer.name).toBe(nothing);
      const own = { status: "RESOLVED" };
      expect(await first("viewer-0"), viewer.name).toEqual(viewer.access ? nothing : own);
      if (isSubmitter && viewer.submitted.includes("9002")) expect(await first(viewer.name)).toEqual(own);
    }
  });

  it("are the only ones whose recordings are told", async () => {
    const viewers = world.viewers.filter((_, at) => at < 12);
    const query = "subscription { recordingSettled { sessionId } }";
    await using open = new AsyncDisposableStack();
    const streams = [];
    // The answer to a request for server-sent events begins when the subscription does: no recording is missed.
    for (const viewer of viewers) streams.push({ viewer, live: open.use(await openStream<Settled>(viewer, query, 0)) });
    const added = [
      { sessionId: "settled 1", taskId: "9003", assistants: [world.B] },
      { sessionId: "settled 2", taskId: "9002", assistants: [world.A, world.B] },
      { sessionId: "settled 3", taskId: "9001", assistants: [world.A] },
    ];
    for (const call of added) await world.gateway.deliver(eventOf({ ...call, isListed: false }));
    for (const { viewer, live } of streams) {
      if (viewer.access?.lineIds) {
        expect((await live.next()).errors, viewer.name).toMatchObject([{ extensions: { code: "FORBIDDEN" } }]);
        continue;
      }
      const own = added.filter((call) => seesCall(viewer, call)).map(({ sessionId }) => sessionId);
      const told: string[] = [];
      for (const _ of own) told.push((await live.next()).data?.recordingSettled.sessionId ?? "");
      expect(told.toSorted(), viewer.name).toEqual(own);
    }
  });

  it("are all that alerts are about: those that are told again, and those that can be acknowledged", async () => {
    for (const [at, viewer] of world.viewers.entries()) {
      const own = world.alerts.filter((alert) => seesAlert(viewer, alert)).map(({ id }) => id);
      for (const { id } of world.alerts) {
        const query = `mutation { acknowledgeAlert(id: "${id}") { id acknowledgedBy } }`;
        const { data, errors } = await world.gateway.ask(query, {}, { authorization: bearer(viewer.name) });
        const acknowledgedBy = viewer.access === null ? viewer.name : null;
        const isOwn = own.includes(id) && !viewer.access?.lineIds;
        expect(data, viewer.name).toEqual({ acknowledgeAlert: isOwn ? { id, acknowledgedBy } : null });
        expect(errors?.[0]?.extensions["code"]).toBe(viewer.access?.lineIds ? "FORBIDDEN" : undefined);
      }
      for (const { id: after } of world.alerts) await seesAlertsAfter(after, own, viewer, at);
    }
  });

  it("are asked of every root field that shows rows", () => {
    const asked = fc.sample(questionsOf(world), { seed: SEED, numRuns: 3000 }).map(({ field }) => field);
    const others = ["Subscription.callEnded", "Subscription.callEndedStream", "Subscription.taskProgress"];
    const more = ["Subscription.taskSubmission", "Subscription.recordingSettled", "Subscription.alertRaised"];
    const ofSubmitters = rootFields.ofSubmitters.filter((field) => !field.startsWith("Mutation."));
    const expected = [...rootFields.own, ...ofSubmitters];
    expect([...new Set(asked), ...others, ...more, "Mutation.acknowledgeAlert"].toSorted()).toEqual(
      expected.toSorted(),
    );
  });

  /** `own`: the ids of the viewer's alerts. */
  async function seesAlertsAfter(after: string, own: readonly string[], viewer: WorldViewer, at: number) {
    const rest = own.slice(own.indexOf(after) + 1);
    const code = viewer.access?.lineIds ? "FORBIDDEN" : own.includes(after) ? null : "CURSOR_EXPIRED";
    if (code === null && rest.length === 0) return;
    const query = `subscription { alertRaised(after: "${after}") { id } }`;
    await using live = await openStream<{ alertRaised: { id: string } }>(viewer, query, at);
    if (code !== null) expect((await live.next()).errors).toMatchObject([{ extensions: { code } }]);
    else for (const id of rest) expect((await live.next()).data, viewer.name).toEqual({ alertRaised: { id } });
  }

  const openStream = async <T>({ name: viewer }: WorldViewer, query: string, at: number) =>
    at % 2 === 0
      ? openSse<T>(world.gateway.url, { query }, { authorization: bearer(viewer) })
      : subscribe<T>(openSocket(world.gateway.url, bearer(viewer)), query);
});

interface Settled {
  recordingSettled: { sessionId: string };
}

interface Told {
  callEnded?: { sessionId: string };
  callEndedStream?: { sessionId?: string };
}

/** The next item of callEndedStream that is a call. */
async function nextCall(items: Stream<StreamResult<Told>>): Promise<string> {
  for (;;) {
    const { data, errors } = await items.next();
    expect(errors).toBeUndefined();
    const sessionId = data?.callEndedStream?.sessionId;
    if (sessionId !== undefined) return sessionId;
  }
}

/** Nothing was found, or the question was refused. */
function isEmptyAnswer(expected: object): boolean {
  if ("code" in expected) return expected !== UNCHECKED;
  const { data } = expected as { data: unknown };
  return data !== null && typeof data === "object" && Object.values(data).every((value) => value === null);
}

/** Each answer has a request of its own. */
function withoutIds(answer: GraphqlResult): unknown {
  return JSON.parse(JSON.stringify(answer, (key, value: unknown) => (key === "requestId" ? "" : value)));
}
