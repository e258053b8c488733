// A database that refuses one value: a check on PostgreSQL, a trigger on SQLite.
import { describe, expect, it, onTestFinished } from "vitest";
import { createLogger } from "../../src/logger.ts";
import { startDurableReader } from "../../src/events/durableReader.ts";
import { createParseCallEnded } from "../../src/webhook/parse.ts";
import { createReceiver } from "../../src/webhook/receive.ts";
import { createReprocess } from "../../src/webhook/reprocess.ts";
import { appendAll, logOver, names, NOW } from "../events/callEnded.ts";
import { databases, type DatabaseUnderTest, type TestDatabase } from "../store/databases.ts";
import { open, tempStore, WHOLE } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { anyEnd, body } from "./delivery.ts";

const REFUSED = "canary-that-the-database-refuses";

/** Makes the table refuse the text in a column. A SQLite file must not be open meanwhile. */
async function refuse(database: TestDatabase, table: string, column: string): Promise<void> {
  const sql = database.url.startsWith("file:")
    ? `create trigger refusing before insert on ${table} when new.${column} = '${REFUSED}' begin select raise(abort, 'no'); end`
    : `alter table ${table} add constraint refusing check (${column} <> '${REFUSED}')`;
  await database.ask(sql);
}

async function refusing({ create }: DatabaseUnderTest, table: string, column: string) {
  const database = await create();
  await (await open(database.url))[Symbol.asyncDispose]();
  await refuse(database, table, column);
  const store = await tempStore(database.url);
  const lines: string[] = [];
  const log = createLogger({ level: "debug", secrets: [], write: (line) => lines.push(line) });
  return { store, log, lines, events: await logOver(store.events) };
}

describe.each(databases)("A webhook that %s refuses", (_, database) => {
  it("goes to quarantine, and the 399 that came with it are in the log", async () => {
    const { store, log, lines, events } = await refusing(database, "events", "hangup_reason");
    const parse = createParseCallEnded("Asia/Shanghai");
    const deps = { events, quarantine: store.quarantine, parse, ...anyEnd, keepsBodies: true, clock: () => NOW, log };
    const { receive } = createReceiver({ ...deps, accepted: () => ["value"] });
    const bodies = Array.from({ length: 400 }, (_, at) =>
      body({ session_id: `s-${at}`, ...(at === 211 ? { hangup_reason: REFUSED } : {}) }),
    );
    const outcomes = await Promise.all(bodies.map((each) => receive(each)));
    expect(outcomes.filter((outcome) => outcome === "appended")).toHaveLength(399);
    expect(outcomes[211]).toBe("quarantined");
    expect(await store.events.read(WHOLE)).toHaveLength(399);
    const [kept, ...others] = await store.quarantine.page({
      kind: "UNREADABLE",
      after: null,
      limit: 9,
      bodyBytes: 99_999,
    });
    expect([Buffer.from(kept?.body ?? []), others]).toEqual([bodies[211], []]);
    expect(kept?.reason).toMatch(/^The database refuses it \((SQLSTATE 23514|SQLite 1811)\)\.$/);
    expect(lines.join("")).toContain("a webhook cannot be stored in the log and is in quarantine");
    expect(lines.join("")).not.toContain(REFUSED);

    const reprocess = createReprocess(deps);
    expect(await reprocess(kept?.id ?? 0, "web")).toEqual({ event: null, reason: kept?.reason });
    expect(await store.quarantine.count("UNREADABLE")).toBe(1);
  });

  it("is refused with STORE_UNAVAILABLE, and is not in quarantine, while the database is away", async () => {
    const { store, log, events } = await refusing(database, "events", "hangup_reason");
    const deps = {
      accepted: () => [],
      events,
      parse: createParseCallEnded("Asia/Shanghai"),
      ...anyEnd,
      keepsBodies: true,
      log,
    };
    const quarantined: unknown[] = [];
    const quarantine = { ...store.quarantine, add: async (delivery: unknown) => void quarantined.push(delivery) };
    const { receive } = createReceiver({ ...deps, quarantine, clock: () => NOW });
    await store[Symbol.asyncDispose]();
    await expect(receive(body())).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(quarantined).toEqual([]);
  });
});

describe.each(databases)("A durable reader of which %s refuses one result", (_, database) => {
  it("stores those of the other events of the batch, and goes on", async () => {
    const { store, log, lines, events } = await refusing(database, "recordings", "url");
    const appended = [...names(0, 30), REFUSED, ...names(30, 60)];
    await appendAll(events, appended);
    const reader = startDurableReader({
      name: "test",
      events,
      readers: store.readers,
      leases: store.leases,
      handle: (batch) =>
        store.recordings.add(
          batch.map(({ sessionId, revision, receivedAt }) => {
            return { sessionId, revision, receivedAt, url: sessionId, refusal: null };
          }),
        ),
      log,
    });
    onTestFinished(() => reader[Symbol.asyncDispose]());
    await until(async () => (await store.recordings.counts()).pending === 60);
    await appendAll(events, ["later"]);
    await until(async () => (await store.recordings.counts()).pending === 61);
    expect(lines.filter((line) => line.includes("it is left out"))).toHaveLength(1);
  });
});

describe("A durable reader whose own code fails for one event", () => {
  it("handles the others of the batch, and goes on", async () => {
    const store = await tempStore();
    const lines: string[] = [];
    const log = createLogger({ level: "debug", secrets: [], write: (line) => lines.push(line) });
    const events = await logOver(store.events);
    await appendAll(events, ["a", "odd", "b"]);
    const handled = new Set<string>();
    const reader = startDurableReader({
      name: "test",
      events,
      readers: store.readers,
      leases: store.leases,
      async handle(batch) {
        if (batch.some(({ sessionId }) => sessionId === "odd")) throw new TypeError("nothing has no length");
        for (const { sessionId } of batch) handled.add(sessionId);
      },
      log,
    });
    onTestFinished(() => reader[Symbol.asyncDispose]());
    await until(() => handled.size === 2);
    await appendAll(events, ["later"]);
    await until(() => handled.has("later"));
    expect(handled).toEqual(new Set(["a", "b", "later"]));
    expect(lines.filter((line) => line.includes("it is left out"))).toHaveLength(1);
  });
});

describe("An event for which the gateway's own code fails", () => {
  it("goes to quarantine, and the others of its commit are in the log", async () => {
    const store = await tempStore();
    const append: typeof store.events.append = (deliveries, revise) =>
      store.events.append(deliveries, (earlier, delivery) => {
        if (delivery.sessionId === "odd") throw new TypeError("nothing has no length");
        return revise(earlier, delivery);
      });
    const events = await logOver({ ...store.events, append });
    const parse = createParseCallEnded("Asia/Shanghai");
    const log = createLogger({ level: "silent", secrets: [] });
    const { receive } = createReceiver({
      accepted: () => [],
      events,
      quarantine: store.quarantine,
      parse,
      ...anyEnd,
      keepsBodies: true,
      clock: () => NOW,
      log,
    });
    const outcomes = await Promise.all(["a", "odd", "b"].map((session_id) => receive(body({ session_id }))));
    expect(outcomes).toEqual(["appended", "quarantined", "appended"]);
    const [kept] = await store.quarantine.page({ kind: "UNREADABLE", after: null, limit: 9, bodyBytes: 9 });
    expect(kept?.reason).toBe("The gateway failed to store it (TypeError).");
  });
});
