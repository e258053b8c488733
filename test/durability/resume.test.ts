import { randomInt } from "node:crypto";
import { describe, expect, it } from "vitest";
import { startGateway, type GatewayProgram } from "../support/gateway.ts";
import { createPostgresDatabase } from "../support/postgres.ts";
import { openSse } from "../support/streams.ts";
import { until } from "../support/until.ts";
import { NO_SERVICE, QUIET, startLoad } from "./load.ts";

interface Told {
  callEnded: { cursor: string; sessionId: string };
}
const READERS = 4;
const QUERY = "subscription($after: String) { callEnded(after: $after) { cursor sessionId } }";
const oneOf = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;

/** A reader who is cut after any number of events, and goes on at either gateway from the last cursor it saw. */
async function readWithCuts(
  gateways: readonly GatewayProgram[],
  start: string,
  onCut: () => boolean,
  isOver: (told: number) => boolean,
) {
  const told: string[] = [];
  let after = start;
  for (let mayCut = true; !isOver(told.length); mayCut = onCut()) {
    await using stream = await openSse<Told>(oneOf(gateways).url, { query: QUERY, variables: { after } });
    for (let rest = mayCut ? randomInt(0, 30) : Infinity; rest > 0 && !isOver(told.length); rest -= 1) {
      const event = (await stream.next()).data?.callEnded;
      told.push(event?.sessionId ?? "none");
      after = event?.cursor ?? after;
    }
  }
  return told;
}

/** So many cuts of all readers together, while so many events are written at both gateways. */
async function resume(cuts: number, events: number) {
  await using database = await createPostgresDatabase();
  await using stack = new AsyncDisposableStack();
  const gateways = [0, 1].map(() => startGateway(NO_SERVICE, { ...QUIET, DATABASE_URL: database.url }));
  const started = (await Promise.all(gateways)).map((gateway) => stack.use(gateway));
  const head = await started[0]?.ask<{ callEndedEvents: { headCursor: string } }>("{ callEndedEvents { headCursor } }");
  const start = head?.data?.callEndedEvents.headCursor ?? "";
  let made = 0;
  let cut = 0;
  // The cuts are spread over the writing: an event waits until as large a share of them was made.
  const mayMake = () => made < events && cut / cuts >= (made - 200) / events && (made += 1) > 0;
  const load = startLoad({ gateway: () => oneOf(started), writers: 16, mayMake });
  const onCut = () => (cut += 1) < cuts;
  const readers = Array.from({ length: READERS }, () => readWithCuts(started, start, onCut, (told) => told >= events));
  await until(() => load.acknowledged.length >= events, 120_000);
  await load.stop();
  const told = await Promise.all(readers);
  const stored = await database.ask("select session_id from events order by seq");
  return { told, stored: stored.map((row) => String(row["session_id"])), cut, acknowledged: load.acknowledged };
}

describe("readers who are cut again and again, at either of two gateways that both write", () => {
  it("read the log as it is stored: nothing missed, nothing twice, in order", { timeout: 300_000 }, async () => {
    const { told, stored, cut, acknowledged } = await resume(100, 2000);
    expect(cut).toBeGreaterThanOrEqual(100);
    expect(stored.toSorted()).toEqual(acknowledged.toSorted());
    for (const one of told) expect(one).toEqual(stored);
  });
});
