import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../../src/store/database.ts";
import { createEventStore } from "../../../src/store/events/eventStore.ts";
import type { EventStore } from "../../../src/store/events/eventStore.ts";
import { silentLog } from "../../support/silentLog.ts";
import { until } from "../../support/until.ts";
import { postgres } from "../databases.ts";
import { appendRows, eachRevises, eventRow, seqs, tempStore, WHOLE } from "../tempStore.ts";

const row = (sessionId: string) => eventRow({ sessionId });

const positions = async ({ events }: { events: EventStore }) => seqs(await events.read(WHOLE));

/** Two gateways of one database, of which the first has just appended the new call "a". */
async function twoGateways() {
  const { url } = await postgres.create();
  const [one, other] = [await tempStore(url), await tempStore(url)];
  await appendRows(one.events, [row("a")]);
  return { one, other };
}

describe("The PostgreSQL log writer, which guesses that a group's calls are new", () => {
  it("continues the positions of the groups before", async () => {
    const { one } = await twoGateways();
    expect(await appendRows(one.events, [row("b"), row("c")])).toEqual([true, true]);
    expect(await appendRows(one.events, [row("d")])).toEqual([true]);
    expect(await positions(one)).toEqual([1, 2, 3, 4]);
  });

  it("finds that it has written a call itself", async () => {
    const { one } = await twoGateways();
    expect(await appendRows(one.events, [row("b"), row("a")])).toEqual([true, false]);
    expect(await positions(one)).toEqual([1, 2]);
  });

  it("finds a call that another gateway has appended since", async () => {
    const { one, other } = await twoGateways();
    await appendRows(other.events, [row("b")]);
    expect(await appendRows(one.events, [row("b"), row("c")])).toEqual([false, true]);
    expect(await positions(one)).toEqual([1, 2, 3]);
  });

  it("takes a new position after another gateway has appended a different call", async () => {
    const { one, other } = await twoGateways();
    await appendRows(other.events, [row("b")]);
    expect(await appendRows(one.events, [row("c")])).toEqual([true]);
    expect(await positions(one)).toEqual([1, 2, 3]);
  });

  it("does not append a call that another gateway has erased since", async () => {
    const { one, other } = await twoGateways();
    const match = { number: "", event: () => true, delivery: () => false, text: () => false, inputLine: () => false };
    await other.eraser.erase(match, async () => undefined, { actor: "ops", at: "2026-11-20T09:40:00.000Z" });
    expect(await appendRows(one.events, [row("a")])).toEqual([false]);
    expect(await positions(one)).toEqual([]);
  });

  it("gives every revision once while two gateways append in turns", async () => {
    const { one, other } = await twoGateways();
    for (const { events } of [one, one, other, one, other, other, one, one])
      await events.append([row("a"), row(crypto.randomUUID())], eachRevises);
    const revisions = (await one.events.revisionsOf("a")).map(({ revision }) => revision);
    expect(revisions).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await positions(one)).toHaveLength(17);
  });

  it("appends the next group after one that failed", async () => {
    const { one } = await twoGateways();
    const broken = eventRow({ sessionId: "b", data: null as unknown as string });
    await expect(one.events.append([broken], eachRevises)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(await appendRows(one.events, [row("b")])).toEqual([true]);
    expect(await positions(one)).toHaveLength(2);
  });

  it("writes nothing while another transaction holds the log's lock", async () => {
    const { url, ask } = await postgres.create();
    const store = await tempStore(url);
    const database = await openDatabase(url, silentLog, { fsync: "elsewhere" });
    onTestFinished(() => database[Symbol.asyncDispose]());
    const events = createEventStore(database);
    await appendRows(events, [row("a")]);
    const appending = await database.append(async () => {
      const waiting = appendRows(events, [row("b")]);
      await until(async () => (await ask("select 1 from pg_locks where not granted")).length > 0);
      expect(await positions(store)).toEqual([1]);
      return { waiting };
    });
    expect(await appending.waiting).toEqual([true]);
  });
});
