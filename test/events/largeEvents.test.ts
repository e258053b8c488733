import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import { openReplayCache } from "../../src/events/replayCache.ts";
import { createEventReader, type EventReaderOptions } from "../../src/events/eventReader.ts";
import { silentLog } from "../support/silentLog.ts";
import { appendRows, eventRow, tempStore } from "../store/tempStore.ts";

const MOST = 20;
const MOST_SIZE = 10_000;

/** A reader of a log whose events are of these sizes, near its head or far behind it; what it read and what it held. */
async function readAll(sizes: readonly number[], isNear: boolean) {
  const { events: store } = await tempStore();
  const eventOf = ({ sessionId, data }: { sessionId: string; data: string }) =>
    ({ sessionId, data }) as unknown as CallEndedEvent;
  const open = () =>
    openReplayCache({
      store,
      eventOrNull: eventOf,
      onRead() {},
      onSkipped: async () => undefined,
      onErased() {},
      log: silentLog,
    });
  await using before = await open();
  await appendRows(
    store,
    sizes.map((size, at) => eventRow({ sessionId: `s${at}`, data: "x".repeat(size) })),
  );
  await before.refresh();
  await using after = await open();
  let rows = 0;
  const counted: EventReaderOptions["store"] = {
    ...store,
    async readPage(page) {
      const found = await store.readPage(page);
      rows += found.rows.length;
      return found;
    },
  };
  const recent = isNear ? before : after;
  const read = createEventReader({
    store: counted,
    replayCache: recent,
    filter: {},
    revisions: true,
    eventOrNull: eventOf,
    damagedBetween: () => [],
    maxEntries: MOST,
    maxSize: MOST_SIZE,
  });
  const received: string[] = [];
  const held: number[][] = [];
  for (let place = 0; place < sizes.length;) {
    const { entries, upTo } = await read(place);
    const events = entries.map(({ event }) => event as unknown as { sessionId: string; data: string });
    received.push(...events.map(({ sessionId }) => sessionId));
    held.push(events.map(({ data }) => data.length));
    expect(upTo).toBeGreaterThan(place);
    place = upTo;
  }
  return { received, held, rows };
}

describe.each([
  ["near the head", true],
  ["far behind it", false],
])("A reader %s", (_where, isNear) => {
  it("gets each event once, in order, and holds at most its limit of bytes, or one event", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(10, 3000, 9000, 20_000), { minLength: 1, maxLength: 60 }),
        async (sizes) => {
          const { received, held } = await readAll(sizes, isNear);
          expect(received).toEqual(sizes.map((_, at) => `s${at}`));
          for (const one of held) {
            expect(one.length).toBeLessThanOrEqual(MOST);
            if (one.length > 1) expect(one.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MOST_SIZE);
          }
        },
      ),
      { numRuns: 15 },
    );
  });
});

it("reads no large event from the store many times", async () => {
  const { rows } = await readAll(
    Array.from({ length: 200 }, () => 9000),
    false,
  );
  expect(rows).toBeLessThan(2 * 200 + 2 * MOST);
});
