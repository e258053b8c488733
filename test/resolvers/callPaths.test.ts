import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { showsEnd, type CallEndedData, type CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import type { EventLog } from "../../src/events/eventLog.ts";
import { batchInOrder } from "../../src/loaders/keyedLoader.ts";
import { nodeId } from "../../src/resolvers/nodeId.ts";
import type { CallLogRecord } from "../../src/upstream/upstream.ts";
import { callEnded, tempLog } from "../events/callEnded.ts";
import { pipeline } from "../graphql/pipeline.ts";
import { callLog, world } from "./world.ts";

let log: EventLog;
let made = 0;
const known = (newestOf: EventLog["newestOf"]) => ({
  ...world().context.known,
  newestEvent: batchInOrder(async (ids) => newestOf(ids)),
  newestEvents: newestOf,
});
/** Shared by all cases of a property; each case is another call. */
const openedLog = async () => {
  log = await tempLog();
};

const FIELDS = [
  "id sessionId taskId direction caller callee startAt answerAt endAt duration billsec answered recordFile",
  "assistants { assistantId versionId } unread { field text } callEnded { id }",
].join(" ");
const NAMES = FIELDS.replaceAll(/\{[^}]*\}/g, "")
  .trim()
  .split(/\s+/);

const instant = fc
  .date({ min: new Date(0), max: new Date(1e12), noInvalidDate: true })
  .map((date) => date.toISOString());
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 });
const count = fc.constantFrom(0, 1, 55, 0.5);
const assistants = fc.array(
  fc.record({ assistantId: fc.constantFrom("1", "2"), versionId: fc.constantFrom("10", "9007199254740993123") }),
  { maxLength: 2 },
);
const fields = {
  taskId: maybe(fc.constantFrom("7", "9007199254740993123")),
  direction: maybe(fc.constantFrom("inbound" as const, "outbound" as const)),
  caller: maybe(fc.constantFrom("A068", "13800010001")),
  callee: maybe(fc.constantFrom("A069", "13800010002")),
  startAt: maybe(instant),
  answerAt: maybe(instant),
  endAt: maybe(instant),
  duration: maybe(count),
  billsec: maybe(count),
  assistants,
};
/** Notes that a null field was sent, but could not be read. */
const oddOf = (...more: string[]) => fc.uniqueArray(fc.constantFrom(...Object.keys(fields), ...more), { maxLength: 4 });

function unreadIn(call: object, names: readonly string[]) {
  const isOdd = (name: string) => (call as Record<string, unknown>)[name] === null || name === "assistants[1]";
  return names.filter(isOdd).map((field) => ({ field, text: "odd" }));
}

const rowOf = fc.record({ ...fields, recordFile: maybe(fc.constantFrom("/r/1.wav")), odd: oddOf("recordFile") });
/** Events that end no call are kept aside, and shown nowhere. */
const eventOf = fc
  .record({ ...fields, odd: oddOf("hangupSide", "assistants[1]") })
  .filter(({ odd, ...call }) => showsEnd(callEnded({ sessionId: "s", ...call, unread: unreadIn(call, odd) })));
const tellings = fc.array(fc.record({ call: eventOf, isWebhook: fc.boolean() }), { maxLength: 3 });

/** A gateway whose list may show the call, and whose log has all deliveries of it. */
async function meet(row: object | null, calls: { call: object; isWebhook: boolean }[]) {
  const sessionId = `s-${++made}`;
  for (const { call, isWebhook } of calls) {
    const { odd: names, ...fields } = call as { odd: string[] } & Partial<CallEndedData>;
    const event = callEnded({ sessionId, ...fields, unread: unreadIn(fields, names) });
    await log.append(event, isWebhook ? "WEBHOOK" : "RECONCILED");
  }
  const others = Array.from({ length: 3 }, (_, at) => callLog({ sessionId: `other-${at}` }));
  const { odd: names = [], ...fields } = (row ?? {}) as { odd?: string[] } & Partial<CallLogRecord>;
  const own = row === null ? [] : [callLog({ ...fields, sessionId, unread: unreadIn(fields, names) })];
  const service = pipeline({
    rows: [...others.slice(1), ...own, ...others.slice(0, 1)],
    own: { events: log, known: known(log.newestOf) },
  });
  const ask = async <T = Record<string, unknown>>(query: string) => {
    const { data, errors } = await service.run(query);
    expect(errors).toBeUndefined();
    return data as T;
  };
  return { sessionId, ask, listed: own[0] ?? null, event: await log.bySession(sessionId) };
}

type Shown = Record<string, unknown> | null;
type Entry = { callLog: Shown } | null;
interface Answers {
  list: { nodes: Shown[] };
  edges: { edges: { node: Shown }[] };
  callLog: Shown;
  node: Shown;
  nodes: Shown[];
  callEnded: Entry;
}

async function byEveryPath({ sessionId, ask, event }: Awaited<ReturnType<typeof meet>>, fields: string) {
  const asked = await ask<Answers>(`{
    list: callLogs(first: 100) { nodes { sessionId ${fields} } }
    edges: callLogs(first: 100) { edges { node { ... { sessionId ...Shown } } } }
    callLog(sessionId: "${sessionId}") { sessionId ${fields} }
    node(id: "${nodeId("CallLog", sessionId)}") { ...Shown ... on CallLog { sessionId } }
    nodes(ids: ["${nodeId("CallLog", sessionId)}"]) { ...Shown ... on CallLog { sessionId } }
    callEnded(sessionId: "${sessionId}") { callLog { sessionId ${fields} } }
  } fragment Shown on CallLog { ${fields} }`);
  const revisions = Array.from({ length: event?.revision ?? 0 }, (_, at) =>
    nodeId("CallEnded", sessionId, `${at + 1}`),
  );
  const entries = await ask<{ nodes: Entry[] }>(`{
    nodes(ids: ${JSON.stringify(revisions)}) { ... on CallEnded { callLog { sessionId ${fields} callEnded { revision } } } }
  }`);
  const isIt = (shown: Shown) => shown?.["sessionId"] === sessionId;
  const ofList = asked.list.nodes.find(isIt);
  const ofEdges = asked.edges.edges.map((edge) => edge.node).find(isIt);
  const direct = [asked.callLog, asked.node, ...asked.nodes];
  const ofEvents = [asked.callEnded, ...entries.nodes];
  return { ofList, ofEdges, direct, ofEvents: ofEvents.filter((each) => each !== null).map((each) => each.callLog) };
}

describe("a call has the same fields", () => {
  it("a call has the same fields in a list, by its session, from its events and as a node", async () => {
    await openedLog();
    await fc.assert(
      fc.asyncProperty(maybe(rowOf), tellings, async (row, calls) => {
        const met = await meet(row, calls);
        const { ofList, ofEdges, direct, ofEvents } = await byEveryPath(met, FIELDS);
        if (row === null && calls.length === 0) {
          expect(direct).toEqual([null, null, null]);
          return;
        }
        const [shown] = direct as [Record<string, unknown>];
        if (row !== null) expect([ofList, ofEdges]).toEqual([shown, shown]);
        expect(direct).toEqual([shown, shown, shown]);
        expect(ofEvents).toHaveLength(calls.length === 0 ? 0 : 1 + (met.event?.revision ?? 0));
        for (const each of ofEvents) expect(each).toMatchObject(shown);
        expectJoined(shown, met.event, met.listed);
      }),
      { numRuns: 150 },
    );
  });

  it("a field of a call is the same if it is selected alone", async () => {
    await openedLog();
    await fc.assert(
      fc.asyncProperty(maybe(rowOf), tellings, fc.constantFrom(...NAMES), async (row, calls, name) => {
        if (row === null && calls.length === 0) return;
        const met = await meet(row, calls);
        const field = FIELDS.match(new RegExp(`${name}( \\{[^}]*\\})?`))?.[0] ?? name;
        const { ofList, ofEdges, direct, ofEvents } = await byEveryPath(met, field);
        const [whole] = (await byEveryPath(met, FIELDS)).direct as [Record<string, unknown>];
        const alone = { sessionId: met.sessionId, [name]: whole[name] };
        if (row !== null) expect([ofList, ofEdges]).toEqual([alone, alone]);
        for (const each of [...direct, ...ofEvents]) expect(each).toMatchObject(alone);
      }),
      { numRuns: 60 },
    );
  });
});

/** The rule, written independently of the code: the event's value, else the list's; shown fields are not unread. */
function expectJoined(shown: Record<string, unknown>, event: CallEndedEvent | null, row: CallLogRecord | null): void {
  expect(shown["callEnded"]).toEqual(event && { id: nodeId("CallEnded", event.sessionId, String(event.revision)) });
  expect(shown["recordFile"]).toBe(row?.recordFile ?? null);
  const texts = ["taskId", "caller", "callee", "startAt", "answerAt", "endAt", "duration", "billsec"] as const;
  for (const field of texts) {
    const said = event?.[field] ?? null;
    if (said !== null) expect([field, shown[field]]).toEqual([field, said]);
    else if (event === null) expect([field, shown[field]]).toEqual([field, row?.[field] ?? null]);
    else expect([row?.[field] ?? null, null]).toContain(shown[field]);
  }
  const handled = event && event.assistants.length > 0 ? event.assistants : (row?.assistants ?? []);
  expect(shown["assistants"]).toEqual(handled);
  const unread = (shown["unread"] as { field: string }[]).map(({ field }) => field);
  const wasAnswered = shown["answerAt"] !== null || Number(shown["billsec"]) > 0;
  const isOpen = ["answerAt", "billsec"].some((field) => unread.includes(field));
  expect(shown["answered"]).toBe(wasAnswered || (isOpen ? null : false));
  expect(new Set(unread).size).toBe(unread.length);
  for (const field of unread) expect(shown[field] ?? null).toBeNull();
  expect(unread).not.toContain("hangupSide");
}

describe("the value of an event is shown", () => {
  const row = { ...callLog(), odd: [], duration: 1, billsec: 1, answerAt: "2026-11-20T01:00:00.000Z", taskId: "8" };
  const shownOf = async (call: Partial<CallEndedData>) => {
    const met = await meet(row, [{ call: { odd: [], ...call }, isWebhook: true }]);
    return (await met.ask(`{ callLog(sessionId: "${met.sessionId}") { ${FIELDS} } }`))["callLog"];
  };

  it("shows an event's value in place of the list's, also if it says that there is none", async () => {
    await openedLog();
    const none = { answerAt: null, billsec: 0, direction: "inbound" as const, taskId: null, duration: null };
    expect(await shownOf(none)).toMatchObject({ answerAt: null, answered: false, taskId: null, duration: 1 });
  });

  it("shows the list's value if the event's could not be read", async () => {
    await openedLog();
    const unread = [{ field: "answerAt", text: "soon" }];
    const met = await meet(row, []);
    await log.append(callEnded({ sessionId: met.sessionId, answerAt: null, billsec: 0, unread }), "WEBHOOK");
    const { callLog: shown } = await met.ask(
      `{ callLog(sessionId: "${met.sessionId}") { answerAt unread { field } } }`,
    );
    expect(shown).toEqual({ answerAt: row.answerAt, unread: [] });
  });
});

describe("the events of a list", () => {
  it("are read in one query, and in none if no field needs them", async () => {
    await openedLog();
    let queries = 0;
    const counted: EventLog["newestOf"] = (ids) => {
      queries += 1;
      return log.newestOf(ids);
    };
    const rows = Array.from({ length: 100 }, (_, at) => callLog({ sessionId: `many-${at}` }));
    const run = (query: string) => pipeline({ rows, own: { events: log, known: known(counted) } }).run(query);
    await run("{ callLogs(first: 100) { nodes { startAt caller callEnded { hangupSide } } } }");
    expect(queries).toBe(1);
    await run(
      "{ callLogs(first: 100) { nodes { ...A } } } fragment A on CallLog { id sessionId recordFile __typename }",
    );
    await run("{ callLogs(first: 100) { edges { cursor node { id sessionId } } } }");
    expect(queries).toBe(1);
  });

  it("fail only the fields that need them if the log cannot be read", async () => {
    const service = pipeline({
      rows: [callLog({ recordFile: "/1" })],
      own: {
        known: known(async () => {
          throw new Error("down");
        }),
      },
    });
    const { data, errors } = await service.run(
      "{ callLogs { nodes { sessionId recordFile startAt callEnded { id } } } }",
    );
    expect(data).toEqual({
      callLogs: { nodes: [{ sessionId: "s-1", recordFile: "/1", startAt: null, callEnded: null }] },
    });
    expect(errors?.map(({ path }) => path?.at(-1))).toEqual(["startAt", "callEnded"]);
  });
});
