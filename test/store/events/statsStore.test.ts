import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventFilter } from "../../../src/events/eventLog.ts";
import { deliveryOf, reviseCall } from "../../../src/events/reviseCall.ts";
import { bucketsOf, slotOf } from "../../../src/resolvers/timeline.ts";
import { runSync } from "../../../src/util/timeSlices.ts";
import { createQueryOwner } from "../../../src/store/scheduling/queryOwner.ts";
import { callEnded } from "../../events/callEnded.ts";
import { databases } from "../databases.ts";
import { tempStore } from "../tempStore.ts";
import { endOf, newestOf, statsOf, type Told } from "../../resolvers/statsModel.ts";

const nullOr = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const among = <const T>(...values: T[]) => fc.constantFrom(...values);
/** Instants on the two days on which New York's clocks change, and on another day. */
const instant = fc
  .tuple(among("2026-03-08", "2026-11-01", "2026-11-20"), fc.integer({ min: 0, max: 1439 }), fc.nat(59_999))
  .map(([day, minute, ms]) => new Date(Date.parse(`${day}T00:00:00Z`) + minute * 60_000 + ms).toISOString());

const delivery: fc.Arbitrary<Told> = fc.record({
  call: fc
    .record({
      sessionId: among("a", "b", "c", "d", "e", "f", "g", "h", "i", "j"),
      direction: nullOr(among("inbound", "outbound")),
      callee: nullOr(among("13800010001", "13800010002", "A068")),
      endAt: nullOr(instant),
      answerAt: nullOr(among("2026-11-20T00:00:00.000Z")),
      // In quarters, so that the sum does not depend on the order of addition.
      duration: nullOr(fc.integer({ min: -4, max: 400 }).map((n) => n / 4)),
      billsec: nullOr(among(0, 1, 2.5)),
      hangupSide: nullOr(among("caller", "callee")),
      hangupReason: nullOr(among("NORMAL", "busy", "忙", "𝒳", "ｘ")),
      taskId: nullOr(among("7", "9", "10", "9007199254740993123")),
      assistants: fc.uniqueArray(
        among("1", "2", "10").map((assistantId) => ({ assistantId, versionId: "1" })),
        { maxLength: 3, selector: ({ assistantId }) => assistantId },
      ),
    })
    .map((own) => callEnded(own)),
  source: among("WEBHOOK", "RECONCILED"),
  receivedAt: instant,
});

/** Filters with at most two parts, because one with more would match nothing. */
const filter: fc.Arbitrary<EventFilter> = fc
  .array(
    fc.oneof<fc.Arbitrary<EventFilter>[]>(
      fc.record({ taskIds: fc.subarray(["7", "9", "10", "404"]) }),
      fc.record({ assistantIds: fc.subarray(["1", "10"]) }),
      fc.record({ direction: among("inbound", "outbound") }),
      fc.record({ hangupSide: among("caller", "callee") }),
      fc.record({ answered: fc.boolean() }),
      fc.record({ phones: fc.subarray(["13800010001", "A068"]) }),
      fc.record({ since: instant }),
      fc.record({ until: instant }),
    ),
    { maxLength: 2 },
  )
  .map((parts) => Object.assign({}, ...parts) as EventFilter);

describe.each(databases)("The statistics of the log (%s)", (_, { create }) => {
  it("count each call once by its newest revision, with any filter", async () => {
    const { events, stats } = await tempStore((await create()).url);
    await fc.assert(
      fc.asyncProperty(
        fc.array(delivery, { maxLength: 60 }),
        filter,
        fc.integer({ min: 1, max: 4 }),
        async (deliveries, by, first) => {
          await events.purge("9999", 100_000);
          for (const group of chunks([...deliveries, ...deliveries.slice(0, 10)], 7)) {
            const rows = group.map(({ call, source, receivedAt }) => deliveryOf(call, source, receivedAt));
            await events.append(rows, reviseCall);
          }
          // A new reader for each run, because equal requests of one reader share their answers.
          const reader = createQueryOwner("web");
          const newest = newestOf([...deliveries, ...deliveries.slice(0, 10)]);
          const expected = statsOf(newest, by);
          expect(await stats.totals(reader, by)).toEqual(expected.totals);
          expect(await stats.numbers(reader, by)).toEqual(expected.numbers);
          expect(await stats.byHangupSide(reader, by)).toEqual(expected.byHangupSide);
          expect(await stats.byHangupReason(reader, by, first)).toEqual(expected.byHangupReason.slice(0, first));
          expect(await stats.byTask(reader, by, first)).toEqual(expected.byTask.slice(0, first));
          expect(await stats.byAssistant(reader, by, first)).toEqual(expected.byAssistant.slice(0, first));
          const entries = await stats.entries(reader);
          expect(entries.reconciled).toBe(newest.filter(({ source }) => source === "RECONCILED").length);
          expect(entries.events).toBe(newest.reduce((total, { revision }) => total + revision, 0));
          const zone = "America/New_York";
          const ends = newest.filter((event) => statsOf([event], by).totals.calls === 1).map(endOf);
          for (const [bucket, startOf] of models) {
            const starts = Object.groupBy(ends, (end) => startOf(Temporal.Instant.from(end).toZonedDateTimeISO(zone)));
            const sorted = Object.entries(starts).toSorted(([a], [b]) => (a < b ? -1 : 1));
            const counted = sorted.map(([start, of]) => [start, of?.length ?? 0]);
            const slots = await stats.byTime(reader, by, slotOf(bucket, zone), 100_000);
            const buckets = runSync(bucketsOf(slots, bucket, zone));
            expect(buckets.map(({ start, calls }) => [start, calls])).toEqual(counted);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("are zero for an empty log", async () => {
    const { stats } = await tempStore((await create()).url);
    const reader = createQueryOwner("web");
    expect(await stats.totals(reader, {})).toEqual({
      since: null,
      calls: 0,
      answered: 0,
      withoutHangup: 0,
      duration: 0,
      billsec: 0,
    });
    expect(await stats.numbers(reader, {})).toEqual({ called: 0, reached: 0 });
    expect(await stats.byTask(reader, {}, 20)).toEqual([]);
    expect(await stats.byTime(reader, {}, "minute", 20)).toEqual([]);
    expect(await stats.entries(reader)).toEqual({ events: 0, reconciled: 0 });
  });

  it("fail with STORE_UNAVAILABLE if the database fails", async () => {
    const store = await tempStore((await create()).url);
    await store[Symbol.asyncDispose]();
    const { stats, quarantine } = store;
    const reader = createQueryOwner("web");
    const asked = [
      () => stats.totals(reader, {}),
      () => stats.numbers(reader, {}),
      () => stats.byHangupReason(reader, {}, 1),
      () => stats.byHangupSide(reader, {}),
      () => stats.byTask(reader, {}, 1),
      () => stats.byAssistant(reader, {}, 1),
      () => stats.byTime(reader, {}, "quarter", 1),
      () => stats.arrivals(reader, "2026"),
      () => stats.unreadable(reader, "2026"),
      () => stats.entries(reader),
      () => quarantine.page({ kind: "UNREADABLE", after: null, limit: 1, bodyBytes: 1 }),
      () => quarantine.byId(1),
      () => quarantine.remove(1, { actor: "ops", at: "2026", action: "DELIVERY_DISCARDED" }),
    ];
    for (const ask of asked) await expect(ask()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  it("leave out an impossible duration and add the others", async () => {
    const { events, stats } = await tempStore((await create()).url);
    const calls = [1.7e308, 1.7e308, 60].map((duration, at) => callEnded({ sessionId: `s${at}`, duration }));
    const now = "2026-11-20T09:30:00.000Z";
    await events.append(
      calls.map((call) => deliveryOf(call, "WEBHOOK", now)),
      reviseCall,
    );
    expect(await stats.totals(createQueryOwner("web"), {})).toMatchObject({ calls: 3, duration: 60 });
  });
});

const iso = (zoned: Temporal.ZonedDateTime) => new Date(zoned.epochMilliseconds).toISOString();
const models = [
  ["minute", (end: Temporal.ZonedDateTime) => iso(end.round({ smallestUnit: "minute", roundingMode: "floor" }))],
  ["hour", (end: Temporal.ZonedDateTime) => iso(end.round({ smallestUnit: "hour", roundingMode: "floor" }))],
  ["day", (end: Temporal.ZonedDateTime) => iso(end.startOfDay())],
] as const;

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
