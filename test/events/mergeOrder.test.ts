import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { showsEnd, type CallEndedData, type EventSource } from "../../src/events/callEndedEvent.ts";
import type { EventLog } from "../../src/events/eventLog.ts";
import { deliveryOf, reviseCall } from "../../src/events/reviseCall.ts";
import type { NewEventRow } from "../../src/store/events/eventStore.ts";
import { databases } from "../store/databases.ts";
import { callEnded, NOW, tempLog } from "./callEnded.ts";

interface Told {
  call: CallEndedData;
  source: EventSource;
  /** False: an event that does not end its call. */
  isEnd?: boolean;
}

const AT = new Date(NOW).toISOString();

/** What the call is in the end, apart from how many revisions it took and when they came. Null: its end has not come. */
function mergedOf(deliveries: readonly Told[]): unknown {
  const rows: NewEventRow[] = [];
  const early: Told[] = [];
  const add = ({ call, source, isEnd = true }: Told) => {
    const earlier = rows.map((row) => ({ ...row, isIntact: true }));
    const row = reviseCall(earlier, deliveryOf(call, source, AT, { isEnd }));
    if (row) rows.push(row);
    return row !== null;
  };
  for (const told of deliveries) {
    if (!add(told)) early.push(told);
    // As webhook/earlyEvents.ts does once the end is there.
    else for (const kept of early) add(kept);
  }
  if (rows.length === 0) return null;
  const { source, data, revision: _, deliverySha256: _sha256, ...columns } = rows.at(-1) as NewEventRow;
  const { origins: _origins, ...call } = JSON.parse(data) as CallEndedData & { origins?: unknown };
  return { source, call, columns };
}

async function newestIn(log: EventLog, sessionId: string, deliveries: readonly Told[]): Promise<unknown> {
  for (const { call, source } of deliveries) await log.append({ ...call, sessionId }, source);
  const event = await log.bySession(sessionId);
  const fields = Object.entries(event ?? {}).filter(([name]) => !["revision", "origins", "sessionId"].includes(name));
  return Object.fromEntries(fields);
}

const few = <T>(...values: T[]) => fc.constantFrom<T | null>(null, ...values);
/** In the order in which a call's fields are read. */
const notes = fc
  .tuple(
    ...["endAt", "billsec", "assistants[0]", "extra"].map((field) =>
      few({ field, text: "soon" }, { field, text: "?" }),
    ),
  )
  .map((all) => all.filter((note) => note !== null));

/** Partial, contradicting, unread in places: few values, so that deliveries tie and overlap. */
const delivery: fc.Arbitrary<Told> = fc.record({
  source: fc.constantFrom<EventSource>("WEBHOOK", "WEBHOOK", "RECONCILED"),
  call: fc
    .record({
      direction: few<"inbound" | "outbound">("inbound", "outbound"),
      caller: few("A068", "A069"),
      callee: few("13800010001"),
      startAt: few("2026-11-20T09:00:00.000Z"),
      answerAt: few("2026-11-20T09:00:10.000Z"),
      endAt: few("2026-11-20T09:01:00.000Z", "2026-11-20T09:01:01.000Z", "1970-01-01T00:00:01.000Z"),
      duration: few(60, 61),
      billsec: few(0, 50),
      hangupReason: few("normal", "busy"),
      recordUrl: few("https://files.example/1", "https://files.example/2"),
      taskId: few("7", "8"),
      assistants: fc.constantFrom([], [{ assistantId: "1", versionId: "2" }], [{ assistantId: "3", versionId: "4" }]),
      extra: fc.constantFrom(null, { a: 1, b: 2 }, { b: 2, a: 1 }, { a: { d: 1, c: [1, null] } }),
      unread: notes,
    })
    .map((own) => callEnded({ sessionId: "a", ringTime: null, hangupSide: null, taskItemId: null, ...own })),
});
/** The receiver takes a webhook for an end only where it shows one. */
const mayEnd = ({ source, call }: Told) => source === "RECONCILED" || showsEnd(call);
const deliveries = fc.array(delivery.filter(mayEnd), { minLength: 2, maxLength: 6 });
const notAllEnds = fc.array(
  fc
    .tuple(delivery, fc.boolean())
    .map(([told, isEnd]) => ({ ...told, isEnd: told.source === "RECONCILED" || (isEnd && mayEnd(told)) })),
  { minLength: 2, maxLength: 6 },
);
const inTwoOrders = (lists: fc.Arbitrary<Told[]>) =>
  lists.chain((list) =>
    fc.record({
      list: fc.constant(list),
      other: fc.shuffledSubarray([...list, ...list], { minLength: 2 * list.length, maxLength: 2 * list.length }),
    }),
  );
const ordered = inTwoOrders(deliveries);

describe("The merged call of several deliveries", () => {
  it("is the same in any order of contradicting, partial, unread and repeated deliveries", () => {
    fc.assert(
      fc.property(ordered, ({ list, other }) => {
        expect(mergedOf(other)).toEqual(mergedOf(list));
      }),
      { numRuns: 1500 },
    );
  });

  it("is the same in any order of ends and of events that do not end the call", () => {
    fc.assert(
      fc.property(inTwoOrders(notAllEnds), ({ list, other }) => {
        expect(mergedOf(other)).toEqual(mergedOf(list));
      }),
      { numRuns: 1500 },
    );
  });

  it.each(databases)("is the same in any order in the log on %s", async (_, { create }) => {
    const log = await tempLog({}, (await create()).url);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(ordered, async ({ list, other }) => {
        run += 1;
        expect(await newestIn(log, `other ${run}`, other)).toEqual(await newestIn(log, `one ${run}`, list));
      }),
      { numRuns: 15 },
    );
  });
});

describe("Of two contradicting deliveries of a call,", () => {
  const webhook = (own: Partial<CallEndedData>): Told => ({
    call: callEnded({ sessionId: "a", ...own }),
    source: "WEBHOOK",
  });
  const bothWays = (one: Told, other: Told) => [mergedOf([one, other]), mergedOf([other, one])];

  it("the one with the later end wins, even with fewer fields", () => {
    const later = webhook({ endAt: "2026-11-20T09:02:00.000Z", duration: 120, caller: null });
    for (const merged of bothWays(webhook({}), later))
      expect(merged).toMatchObject({ call: { duration: 120, endAt: "2026-11-20T09:02:00.000Z", caller: "A068" } });
  });

  it("the one with more fields wins if both have the same end", () => {
    const [less, more] = [webhook({ duration: 1, hangupReason: null, caller: "A1" }), webhook({ duration: 2 })];
    for (const merged of bothWays(less, more))
      expect(merged).toMatchObject({ call: { duration: 2, caller: "A068", hangupReason: "normal" } });
  });

  it("one wins for all of its fields if both have the same end and as many fields", () => {
    const [one, other] = [webhook({ duration: 1, billsec: 1 }), webhook({ duration: 2, billsec: 2 })];
    const [first, second] = bothWays(one, other) as [{ call: CallEndedData }, { call: CallEndedData }];
    expect(first).toEqual(second);
    expect(first.call.duration).toBe(first.call.billsec);
  });

  it("the webhook wins over the call log, which fills its missing fields", () => {
    const listed: Told = {
      call: callEnded({ sessionId: "a", endAt: "2026-11-20T09:05:00.000Z", duration: 300, callee: "13800010002" }),
      source: "RECONCILED",
    };
    for (const merged of bothWays(webhook({ callee: null }), listed))
      expect(merged).toMatchObject({ source: "WEBHOOK", call: { duration: 60, callee: "13800010002" } });
  });

  it("a later one without an answer removes the answer time of the earlier one", () => {
    const unanswered = webhook({ endAt: "2026-11-20T09:02:00.000Z", billsec: 0, answerAt: null });
    for (const merged of bothWays(webhook({}), unanswered))
      expect(merged).toMatchObject({ call: { answerAt: null, billsec: 0 }, columns: { answered: false } });
  });

  it("a value wins over the unread note of a later delivery", () => {
    const unread = [{ field: "duration", text: "long" }];
    const later = webhook({ endAt: "2026-11-20T09:02:00.000Z", duration: null, unread });
    for (const merged of bothWays(webhook({}), later))
      expect(merged).toMatchObject({ call: { duration: 60, endAt: "2026-11-20T09:02:00.000Z", unread: [] } });
  });

  it("a note on a value is kept and dropped with the value", () => {
    const unread = [{ field: "endAt", text: "2026-10-25 02:30:00" }];
    const noted = webhook({ unread });
    const later = webhook({ endAt: "2026-11-20T09:02:00.000Z" });
    for (const merged of bothWays(noted, later)) expect(merged).toMatchObject({ call: { unread: [] } });
    const earlier = webhook({ endAt: "2026-11-20T08:02:00.000Z" });
    for (const merged of bothWays(noted, earlier)) expect(merged).toMatchObject({ call: { unread } });
  });
});
