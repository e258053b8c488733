import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { CallEndedData, EventSource } from "../../src/events/callEndedEvent.ts";
import { addToCall } from "../../src/events/rereadCall.ts";
import { deliveryOf, type Delivery, type Reading } from "../../src/events/reviseCall.ts";
import type { NewEventRow } from "../../src/store/events/eventStore.ts";
import { callEnded, NOW } from "./callEnded.ts";

interface Told {
  source: EventSource;
  /** Whether the body is kept. */
  isKept: boolean;
  /** As the former parser read it, and as the current one reads it. */
  former: CallEndedData;
  current: CallEndedData;
}

const AT = new Date(NOW).toISOString();
const few = <T>(...values: T[]) => fc.constantFrom<T | null>(null, ...values);
const call = fc
  .record({
    caller: few("A068", "A069"),
    startAt: few("2026-11-20T09:00:00.000Z", "2026-11-20T01:00:00.000Z"),
    endAt: few("2026-11-20T09:01:00.000Z", "2026-11-20T01:01:00.000Z"),
    billsec: few(0, 50),
    recordUrl: few("https://files.example/1", "https://files.example/2"),
    unread: fc.constantFrom([], [{ field: "duration", text: "soon" }]),
  })
  .map((own) => callEnded({ sessionId: "a", duration: null, ...own }));
const told: fc.Arbitrary<Told> = fc.record({
  source: fc.constantFrom<EventSource>("WEBHOOK", "WEBHOOK", "RECONCILED"),
  isKept: fc.boolean(),
  former: call,
  current: call,
});

/** The log of one call. */
function createLogger() {
  const rows: NewEventRow[] = [];
  const add = (delivery: Delivery) => {
    const row = addToCall(
      rows.map((each) => ({ ...each, isIntact: true })),
      delivery,
    );
    if (row) rows.push(row);
    return row;
  };
  return { rows, add };
}

function shownOf(rows: readonly NewEventRow[]): unknown {
  const { data } = rows.at(-1) as NewEventRow;
  const { origins: _origins, ...shown } = JSON.parse(data) as CallEndedData & { origins?: unknown };
  return shown;
}

function logOf(deliveries: readonly Told[]) {
  const { rows, add } = createLogger();
  const readings: Reading[] = [];
  for (const { source, isKept, former, current } of deliveries) {
    const row = add(deliveryOf(former, source, AT));
    if (row && isKept && source === "WEBHOOK")
      readings.push({ revision: row.revision, call: current, source: "WEBHOOK" });
  }
  const reread = (some = readings) =>
    add({ ...deliveryOf(callEnded({ sessionId: "a" }), "WEBHOOK", AT), readings: some });
  return { rows, readings, reread };
}

it("reading deliveries again a second time changes nothing, however many of them are still kept", () => {
  const property = fc.property(fc.array(told, { minLength: 1, maxLength: 5 }), fc.nat(5), (deliveries, expired) => {
    const { readings, reread } = logOf(deliveries);
    if (readings.length === 0) return;
    reread();
    expect(reread()).toBeNull();
    const left = readings.slice(expired);
    if (left.length > 0) expect(reread(left)).toBeNull();
  });
  fc.assert(property, { numRuns: 300 });
});

it("a call whose deliveries are all kept becomes what the current parser would have made of it", () => {
  const distinct = fc.uniqueArray(told, {
    minLength: 1,
    maxLength: 4,
    selector: ({ former }) => JSON.stringify(former),
  });
  const property = fc.property(distinct, (deliveries) => {
    const kept = deliveries.map((each) => ({ ...each, source: "WEBHOOK", isKept: true }) as const);
    const { rows, readings, reread } = logOf(kept);
    reread();
    // A delivery that added nothing is not kept.
    const { rows: expected, add } = createLogger();
    for (const reading of readings) add(deliveryOf(reading.call, "WEBHOOK", AT));
    expect(shownOf(rows)).toEqual(shownOf(expected));
  });
  fc.assert(property, { numRuns: 300 });
});

it("reading some of the deliveries again with the parser that read them first changes nothing", () => {
  const property = fc.property(fc.array(told, { minLength: 1, maxLength: 5 }), fc.nat(31), (deliveries, chosen) => {
    const { rows, readings, reread } = logOf(
      deliveries.map((each) => ({ ...each, isKept: true, current: each.former })),
    );
    const before = shownOf(rows);
    const some = readings.filter((_, at) => (chosen & (1 << at)) > 0);
    if (some.length > 0) reread(some);
    expect(shownOf(rows)).toEqual(before);
  });
  fc.assert(property, { numRuns: 2000 });
});

it.each([null, "https://files.example/1"])(
  "the recording link of a second delivery stays, if only the first one (%j) is read again",
  (link) => {
    const first = callEnded({ sessionId: "a", recordUrl: link });
    const second = { ...first, recordUrl: "https://files.example/2" };
    const { rows, readings, reread } = logOf(
      [first, second].map((former) => ({ source: "WEBHOOK", isKept: true, former, current: former })),
    );
    expect(reread(readings.slice(0, 1))).toBeNull();
    expect(shownOf(rows)).toEqual(second);
  },
);

it("a wrong value of the former reading does not stay, although it outranks the right one", () => {
  const former = callEnded({ sessionId: "a", endAt: "2026-11-20T17:01:00.000Z" });
  const current = callEnded({ sessionId: "a", endAt: "2026-11-20T09:01:00.000Z" });
  const { rows, reread } = logOf([{ source: "WEBHOOK", isKept: true, former, current }]);
  expect(reread()).toMatchObject({ revision: 2, receivedAt: AT, endedAt: "2026-11-20T09:01:00.000Z" });
  expect(shownOf(rows)).toEqual(current);
});

it("a later delivery of a call that was read again is merged with the new reading", () => {
  const former = callEnded({ sessionId: "a", caller: "wrong", billsec: null });
  const current = callEnded({ sessionId: "a", caller: "A068", billsec: null });
  const { rows, reread } = logOf([{ source: "WEBHOOK", isKept: true, former, current }]);
  reread();
  const later = deliveryOf(callEnded({ sessionId: "a", caller: null, billsec: 55 }), "WEBHOOK", AT);
  const row = addToCall(
    rows.map((each) => ({ ...each, isIntact: true })),
    later,
  );
  expect(JSON.parse(row?.data ?? "")).toMatchObject({ caller: "A068", billsec: 55, origins: { rereads: {} } });
});
