import { randomInt } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type TestGateway, NO_SERVICE, startGateway } from "../support/gateway.ts";
import { takeMigratedDatabase } from "../support/postgres/migratedDatabase.ts";
import { openSse } from "../support/streams.ts";
import { until } from "../support/until.ts";
import { QUIET, startLoad } from "./load.ts";

interface Message {
  callEnded: { cursor: string; sessionId: string };
}
const READERS = 4;
const QUERY = "subscription($after: String) { callEnded(after: $after) { cursor sessionId } }";
const randomOf = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;

/** A reader whose connection is cut after a random number of events. It resumes at a random gateway after its last cursor. */
async function readWithCuts(
  gateways: readonly TestGateway[],
  start: string,
  onCut: () => boolean,
  isOver: (received: number) => boolean,
) {
  const received: string[] = [];
  let after = start;
  for (let mayCut = true; !isOver(received.length); mayCut = onCut()) {
    await using stream = await openSse<Message>(randomOf(gateways).url, { query: QUERY, variables: { after } });
    for (let rest = mayCut ? randomInt(0, 30) : Infinity; rest > 0 && !isOver(received.length); rest -= 1) {
      const event = (await stream.next()).data?.callEnded;
      received.push(event?.sessionId ?? "none");
      after = event?.cursor ?? after;
    }
  }
  return received;
}

/** Makes `cuts` cuts, over all readers, while `events` events are written at both gateways. */
async function cutAndResume(cuts: number, events: number) {
  await using database = await takeMigratedDatabase();
  await using stack = new AsyncDisposableStack();
  const gateways = [0, 1].map(() => startGateway(NO_SERVICE, { ...QUIET, DATABASE_URL: database.url }));
  const started = (await Promise.all(gateways)).map((gateway) => stack.use(gateway));
  const head = await started[0]?.ask<{ callEndedEvents: { headCursor: string } }>("{ callEndedEvents { headCursor } }");
  const start = head?.data?.callEndedEvents.headCursor ?? "";
  let delivered = 0;
  let cut = 0;
  // The cuts are spread over the writing: an event waits until the same share of the cuts was delivered.
  const mayDeliver = () => delivered < events && cut / cuts >= (delivered - 200) / events && (delivered += 1) > 0;
  const load = startLoad({ gateway: () => randomOf(started), writers: 16, mayDeliver });
  const onCut = () => (cut += 1) < cuts;
  const readers = Array.from({ length: READERS }, () =>
    readWithCuts(started, start, onCut, (received) => received >= events),
  );
  await until(() => load.acknowledged.length >= events);
  await load.stop();
  const received = await Promise.all(readers);
  const stored = await database.ask("select session_id from events order by seq");
  return { received, stored: stored.map((row) => String(row["session_id"])), cut, acknowledged: load.acknowledged };
}

describe("Readers with many cuts, at two gateways that both write", () => {
  it("read the stored log exactly, in order, without gap or repeat", { timeout: 300_000 }, async () => {
    const { received, stored, cut, acknowledged } = await cutAndResume(100, 2000);
    expect(cut).toBeGreaterThanOrEqual(100);
    expect(stored.toSorted()).toEqual(acknowledged.toSorted());
    for (const one of received) expect(one).toEqual(stored);
  });
});
