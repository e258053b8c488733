import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallEndedData, CallEndedEvent, EventSource } from "../../../src/events/callEndedEvent.ts";
import { matchesFilter } from "../../../src/events/callEndedEvent.ts";
import { deliveryOf, reviseCall } from "../../../src/events/reviseCall.ts";
import type { EventFilter, EventRow } from "../../../src/store/events/eventStore.ts";
import { callEnded } from "../../events/callEnded.ts";
import type { DatabaseUnderTest } from "../databases.ts";
import { seqs, tempStore, WHOLE } from "../tempStore.ts";

const days = [18, 19, 20, 21].map((day) => `2026-11-${day}T00:00:00.000Z`);
const ids = ["1", "9007199254740992", "9007199254740993", "18446744073709551616"];
/** Texts with a meaning in SQL, and texts that some collations treat as equal. */
const texts = [
  "A068",
  "a068",
  "1380",
  "138",
  "13%",
  "13_0",
  "13\\0",
  "'",
  "' or 1=1 --",
  '"',
  "é",
  "e\u0301",
  "号😀",
  " ",
];
const oddTexts = [...texts, "13\x0080", "\0", "A068\0"];

const parts = {
  imported: fc.constant(false as const),
  taskIds: fc.subarray(ids),
  assistantIds: fc.subarray(ids),
  direction: fc.constantFrom("inbound", "outbound"),
  hangupSide: fc.constantFrom("caller", "callee"),
  hangupReasons: fc.subarray([null, ...texts]),
  answered: fc.boolean(),
  phones: fc.subarray(texts),
  since: fc.constantFrom(...days),
  until: fc.constantFrom(...days),
  access: fc.record({
    taskIds: fc.option(fc.subarray(ids), { nil: undefined }),
    assistantIds: fc.option(fc.subarray(ids), { nil: undefined }),
  }),
};
/** Filters with at most three parts, because one with more would match nothing. */
const filters: fc.Arbitrary<EventFilter> = fc
  .tuple(fc.record(parts), fc.shuffledSubarray(Object.keys(parts), { maxLength: 3 }))
  .map(([whole, names]) => Object.fromEntries(Object.entries(whole).filter(([name]) => names.includes(name))));

const deliveries = fc.array(
  fc.record({
    session: fc.integer({ min: 0, max: 5 }),
    source: fc.constantFrom<EventSource>("WEBHOOK", "WEBHOOK", "RECONCILED", "IMPORTED"),
    receivedAt: fc.constantFrom(...days),
    call: fc.record({
      direction: fc.constantFrom("inbound", "outbound", null),
      hangupSide: fc.constantFrom("caller", "callee", null),
      answerAt: fc.constantFrom(null, "2026-11-20T00:00:00.000Z"),
      billsec: fc.constantFrom(null, 0, 0.5),
      endAt: fc.constantFrom(null, ...days),
      caller: fc.constantFrom(null, ...oddTexts),
      callee: fc.constantFrom(null, ...oddTexts),
      hangupReason: fc.constantFrom(null, ...oddTexts),
      taskId: fc.constantFrom(null, ...ids),
      extra: fc.option(fc.dictionary(fc.constantFrom(...oddTexts), fc.constantFrom(...oddTexts), { maxKeys: 2 })),
      assistants: fc.array(fc.record({ assistantId: fc.constantFrom(...ids), versionId: fc.constant("1") }), {
        maxLength: 3,
      }),
    }),
  }),
  { minLength: 1, maxLength: 25 },
);

interface LoggedEvent {
  seq: number;
  event: CallEndedEvent;
  earlier: CallEndedEvent[];
}

/** The rows of the log as events, each with the earlier events of its call. */
function entriesOf(rows: readonly EventRow[]): LoggedEvent[] {
  const all = rows.map((row): [EventRow, CallEndedEvent] => {
    const { revision, source, receivedAt, data } = row;
    const call = JSON.parse(data) as CallEndedData;
    return [row, { cursor: "", revision, source: source as EventSource, receivedAt, ...call }];
  });
  return all.map(([{ seq }, event], at) => {
    const before = all.slice(0, at).map(([, other]) => other);
    return { seq, event, earlier: before.filter(({ sessionId }) => sessionId === event.sessionId) };
  });
}

const passing = (entries: readonly LoggedEvent[], filter: EventFilter, revisions: boolean) =>
  entries
    .filter(({ event }) => matchesFilter(event, filter))
    .filter(({ earlier }) => revisions || !earlier.some((before) => matchesFilter(before, filter)))
    .map(({ seq }) => seq);

export function filterContract({ create }: DatabaseUnderTest): void {
  describe("A filter in SQL", () => {
    it("selects the same events as the filter in memory, for random calls, revisions and filters", async () => {
      const { events } = await tempStore((await create()).url);
      let run = 0;
      await fc.assert(
        fc.asyncProperty(deliveries, fc.array(filters, { minLength: 8, maxLength: 8 }), async (appended, asked) => {
          run += 1;
          const after = await events.head();
          const rows = appended.map(({ session, source, receivedAt, call }) =>
            deliveryOf(callEnded({ sessionId: `${run} ${session}`, ...call }), source, receivedAt),
          );
          const half = Math.floor(rows.length / 2);
          await events.append(rows.slice(0, half), reviseCall);
          await events.append(rows.slice(half), reviseCall);
          const entries = entriesOf(await events.read({ ...WHOLE, after }));
          for (const filter of asked) {
            const read = async (revisions: boolean) => seqs(await events.read({ ...WHOLE, filter, revisions, after }));
            expect(await read(true)).toEqual(passing(entries, filter, true));
            const once = passing(entries, filter, false);
            expect(await read(false)).toEqual(once);
            const page = {
              filter,
              revisions: false,
              through: null,
              order: "newestFirst",
              limit: once.length,
              after: null,
            } as const;
            expect(seqs(await events.read(page))).toEqual(once.toReversed());
          }
        }),
        { numRuns: 60 },
      );
    });

    it("requires every part of a filter to match", async () => {
      const { events } = await tempStore((await create()).url);
      const calls = [
        callEnded({ sessionId: "a", caller: "1", callee: "2", taskId: "1" }),
        callEnded({ sessionId: "b", caller: "2", callee: "1", taskId: "2" }),
      ];
      await events.append(
        calls.map((call) => deliveryOf(call, "WEBHOOK", days[0] as string)),
        reviseCall,
      );
      const sessionsOf = async (filter: EventFilter) =>
        (await events.read({ ...WHOLE, filter })).map(({ sessionId }) => sessionId);
      expect(await sessionsOf({ phones: ["1"], taskIds: ["2"] })).toEqual(["b"]);
      expect(await sessionsOf({ taskIds: ["2"], phones: ["2"] })).toEqual(["b"]);
      expect(await sessionsOf({ taskIds: [] })).toEqual([]);
      expect(await sessionsOf({ hangupReasons: [] })).toEqual([]);
      expect(await sessionsOf({ assistantIds: [] })).toEqual([]);
    });
  });
}
