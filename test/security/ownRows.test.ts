// Viewers with access to some rows, beside one without: each sees exactly the rows that a rule over all of them says.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scopes } from "../../src/auth/scopes.ts";
import { nodeId } from "../../src/resolvers/nodeId.ts";
import { startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { bearer, keyOf, writeKeys } from "../support/keys.ts";
import { startSandbox } from "../support/sandbox.ts";
import { openSocket, openSse, subscribe, type Stream, type StreamResult } from "../support/streams.ts";
import { until } from "../support/until.ts";
import { event, isOf, seedRows, sees, TASKS, type Access, type Row } from "./ownRowsWorld.ts";

/** Answers to many queries. */
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;
const AROUND = "2020-01-02T02:00:00.000Z";
const RANGE = `filter: { since: "2020-01-01T00:00:00Z", until: "2020-01-03T00:00:00Z" }`;
const parts = new AsyncDisposableStack();
let gateway: TestGateway;
let A: string;
let B: string;
let viewers: Record<string, Access>;
let rows: Row[];

async function ask(viewer: string, query: string): Promise<{ data: Json; errors: Json }> {
  const { data, errors } = await gateway.ask<Json>(query, {}, { authorization: bearer(viewer) });
  return { data, errors: errors?.map(({ message, extensions }) => ({ message, code: extensions["code"] })) };
}
const idsOf = (nodes: { sessionId: string }[]) => nodes.map(({ sessionId }) => sessionId).toSorted();

beforeAll(async () => {
  const sandbox = parts.use(await startSandbox());
  const seeded = await seedRows(sandbox);
  ({ A, B, viewers } = seeded);
  const directory = parts.use(await temporaryDirectory());
  const names = ["everything", ...Object.keys(viewers)];
  const keys = await writeKeys(directory.path, Object.fromEntries(names.map((name) => [name, scopes])), viewers);
  gateway = parts.use(
    await startGateway(sandbox, { API_KEYS_FILE: keys, QUERY_BUDGET: "1000", RATE_LIMIT: "1000000" }),
  );
  for (const call of seeded.calls) await gateway.deliver(event(...call));
  await gateway.deliver(event("only event", "9003", [A]));
  const all = `{ callEndedEvents(first: 100) { nodes { sessionId taskId assistants { assistantId } } } }`;
  rows = (await ask("everything", all)).data.callEndedEvents.nodes;
  expect(rows).toHaveLength(7);
  const assistant = `{ task(taskId: "9001") { taskId } assistant(assistantId: "${A}") { assistantId } }`;
  await until(async () => (await ask("everything", assistant)).data.assistant !== null);
});
afterAll(() => parts.disposeAsync());

function lookUp(viewer: string, sessionId: string) {
  const ids = [nodeId("CallEnded", sessionId, "1"), nodeId("Recording", sessionId), nodeId("CallLog", sessionId)];
  return ask(
    viewer,
    `{ callEnded(sessionId: "${sessionId}") { sessionId recording { status } }
       callLog(sessionId: "${sessionId}", around: "${AROUND}") { sessionId recording { status } callEnded { sessionId } }
       nodes(ids: ${JSON.stringify(ids)}) { __typename } }`,
  );
}

/** Each viewer with access, with the rows that it may see. */
const each = (check: (name: string, own: Row[], access: Access) => Promise<void>) => async () => {
  for (const [name, access] of Object.entries(viewers))
    await check(
      name,
      rows.filter((row) => sees(access, row)),
      access,
    );
};

describe("A viewer with access to some rows", () => {
  it(
    "sees its own events in lists, filters, pages and statistics",
    each(async (name, own) => {
      const { data } = await ask(
        name,
        `{ all: callEndedEvents(first: 100) { nodes { sessionId } }
           first: callEndedEvents(first: 2, order: NEWEST_FIRST) { nodes { sessionId } pageInfo { hasNextPage } }
           task: callEndedEvents(filter: { taskIds: ["9002"] }) { nodes { sessionId } }
           both: callEndedEvents(filter: { assistantIds: ["${B}"] }) { nodes { sessionId } }
           callStats { calls byTask { taskId calls } timeline(bucket: DAY) { calls } } }`,
      );
      expect(idsOf(data.all.nodes), name).toEqual(idsOf(own));
      expect(data.first.nodes, name).toEqual(
        own
          .toReversed()
          .slice(0, 2)
          .map(({ sessionId }) => ({ sessionId })),
      );
      expect(data.first.pageInfo.hasNextPage, name).toBe(own.length > 2);
      expect(idsOf(data.task.nodes), name).toEqual(idsOf(own.filter(({ taskId }) => taskId === "9002")));
      expect(idsOf(data.both.nodes), name).toEqual(idsOf(own.filter((row) => sees({ assistantIds: [B] }, row))));
      const byTask = Map.groupBy(own, ({ taskId }) => taskId);
      expect(data.callStats.calls, name).toBe(own.length);
      expect(new Map(data.callStats.byTask.map((one: Json) => [one.taskId, one.calls])), name).toEqual(
        new Map([...byTask].map(([taskId, some]) => [taskId, some.length])),
      );
      expect(
        data.callStats.timeline.reduce((sum: number, { calls }: Json) => sum + calls, 0),
        name,
      ).toBe(own.length);
    }),
  );

  it(
    "sees its own calls in the service's list, with their number",
    each(async (name, own) => {
      const { data } = await ask(
        name,
        `{ callLogs(first: 100, ${RANGE}) { totalCount nodes { sessionId callEnded { sessionId } } } }`,
      );
      const listed = own.filter(({ sessionId }) => sessionId !== "only event");
      expect(idsOf(data.callLogs.nodes), name).toEqual(idsOf(listed));
      expect(data.callLogs.totalCount, name).toBe(listed.length);
    }),
  );

  it(
    "gets the answer for a row of others that it gets for a row that does not exist",
    each(async (name, own) => {
      const absent = await lookUp(name, "absent");
      expect(absent.data, name).toEqual({ callEnded: null, callLog: null, nodes: [null, null, null] });
      for (const row of rows) {
        const { sessionId } = row;
        const answer = await lookUp(name, sessionId);
        const found = { sessionId, recording: { status: "LOST" } };
        const types = ["CallEnded", "Recording", "CallLog"].map((__typename) => ({ __typename }));
        const data = { callEnded: found, callLog: { ...found, callEnded: { sessionId } }, nodes: types };
        expect(answer, `${name} ${sessionId}`).toEqual(own.includes(row) ? { data, errors: undefined } : absent);
      }
    }),
  );

  it(
    "finds its own tasks, with its own calls of them",
    each(async (name, own, access) => {
      const ids = [...TASKS, "9998"];
      const { data, errors } = await ask(
        name,
        `{ tasksByIds(taskIds: ${JSON.stringify(ids)}) { taskId callLogs(${RANGE}) { totalCount nodes { sessionId } } callStats { calls } }
           nodes(ids: ${JSON.stringify(ids.map((id) => nodeId("Task", id)))}) { __typename }
           assistant(assistantId: "${A}") { assistantId } }`,
      );
      expect(errors, name).toBeUndefined();
      for (const [at, taskId] of ids.entries()) {
        const isOwn = TASKS.includes(taskId) && isOf(access, taskId, [taskId === "9001" ? A : B]);
        const of = own.filter((row) => row.taskId === taskId);
        const listed = of.filter(({ sessionId }) => sessionId !== "only event");
        const task = data.tasksByIds[at];
        expect(data.nodes[at], `${name} ${taskId}`).toEqual(isOwn ? { __typename: "Task" } : null);
        expect(task === null, `${name} ${taskId}`).toBe(!isOwn);
        if (!isOwn) continue;
        expect(idsOf(task.callLogs.nodes), `${name} ${taskId}`).toEqual(idsOf(listed));
        expect(task.callLogs.totalCount, `${name} ${taskId}`).toBe(listed.length);
        expect(task.callStats.calls, `${name} ${taskId}`).toBe(of.length);
      }
      expect(data.assistant, name).toEqual(access.assistantIds?.includes(A) ? { assistantId: A } : null);
    }),
  );

  it("lists its own known tasks, and is refused where the gateway cannot tell them apart", async () => {
    const tasks = `{ tasks(first: 100) { edges { node { taskId } } } }`;
    await until(async () => JSON.stringify(await ask("everything", tasks)).includes("9003"));
    const { data } = await ask("9001_9002-all", tasks);
    expect(data.tasks.edges.map(({ node }: Json) => node.taskId).toSorted()).toEqual(["9001", "9002"]);
    expect((await ask(`all-${A}`, tasks)).errors).toMatchObject([{ code: "FORBIDDEN" }]);
  });

  it("cannot use the cursor of a list of a viewer with other access", async () => {
    const list = (after: string | null) =>
      `{ tasks(first: 1, after: ${JSON.stringify(after)}) { pageInfo { endCursor } } }`;
    const cursor = (await ask("everything", list(null))).data.tasks.pageInfo.endCursor;
    expect((await ask("9001_9002-all", list(cursor))).errors).toMatchObject([{ code: "CURSOR_INVALID" }]);
  });

  it("is refused a filter by assistants of others, whether they exist or not", async () => {
    const list = (id: string) => `{ callLogs(filter: { assistantIds: ["${id}"] }) { totalCount } }`;
    const { errors } = await ask(`all-${A}`, list(B));
    expect(errors).toMatchObject([{ code: "BAD_USER_INPUT" }]);
    expect((await ask(`all-${A}`, list("999999"))).errors).toEqual(errors);
  });

  it("follows its own events alone, behind the replay and in a shared group", async () => {
    const { data } = await ask("everything", `{ callEndedEvents(first: 1) { nodes { cursor } } }`);
    const query = `subscription { told: callEnded(after: ${JSON.stringify(data.callEndedEvents.nodes[0].cursor)}) { sessionId } }`;
    type Live = Stream<StreamResult<{ told: { sessionId: string } }>>;
    const streams: { name: string; live: Live; told: string[] }[] = [];
    for (const name of ["everything", "9001-all", `all-${B}`, "9001_9002-all", "9001-all", "everything"]) {
      const isEven = streams.length % 2 === 0;
      const live: Live = isEven
        ? await openSse(gateway.url, { query }, { authorization: bearer(name) })
        : subscribe(openSocket(gateway.url, bearer(name)), query);
      parts.use(live);
      streams.push({ name, live, told: [] });
    }
    const added: Row[] = [];
    // Twice, because a stream joins its group when it has read everything.
    for (const round of ["x", "y"]) {
      const own: [string, string, string[]][] = [
        [`${round} foreign`, "9003", [A]],
        [`${round} last`, "9001", [B]],
      ];
      for (const [sessionId, taskId, assistants] of own) {
        await gateway.deliver(event(sessionId, taskId, assistants));
        added.push({ sessionId, taskId, assistants: assistants.map((assistantId) => ({ assistantId })) });
      }
      for (const { live, told } of streams) {
        while (told.at(-1) !== `${round} last`) {
          const result = await live.next();
          expect(result.errors).toBeUndefined();
          told.push(result.data?.told.sessionId ?? "");
        }
      }
    }
    for (const { name, told } of streams) {
      const own = [...rows.slice(1), ...added].filter((row) => sees(viewers[name] ?? {}, row));
      expect(told, name).toEqual(own.map(({ sessionId }) => sessionId));
    }
    rows.push(...added);
  });

  it("is told nothing of a task of others by taskProgress", async () => {
    const first = async (taskId: string) => {
      const query = `subscription { taskProgress(taskId: "${taskId}") { taskId } }`;
      await using live = await openSse<Json>(gateway.url, { query }, { authorization: `Bearer ${keyOf("9001-all")}` });
      return (await live.next()).data.taskProgress;
    };
    expect(await Promise.all(["9001", "9002", "9998"].map(first))).toEqual([{ taskId: "9001" }, null, null]);
  });
});
