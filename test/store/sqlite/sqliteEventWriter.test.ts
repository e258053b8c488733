import { expect, describe, it, onTestFinished } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { createEventStore } from "../../../src/store/events/eventStore.ts";
import { migrate } from "../../../src/store/migrations/migrations.ts";
import { openSqlite } from "../../../src/store/sqlite/sqlite.ts";
import { createSqliteEventWriter } from "../../../src/store/sqlite/sqliteEventWriter.ts";
import { Kysely } from "kysely";
import type { Tables } from "../../../src/store/tables.ts";
import { eachRevises, eventRow, tempFile } from "../tempStore.ts";

/** An event store, and a function that appends a group and counts its messages to the database thread. */
async function countedStore() {
  const dialect = await openSqlite(tempFile());
  const db = new Kysely<Tables>({ dialect });
  onTestFinished(() => db.destroy());
  const makeTables: Database["makeTables"] = async (_, statements) =>
    void (await dialect.exchange(statements.map((sql) => ({ sql, runs: [[]] }))));
  await migrate({ db, kind: "sqlite", keepCopy: () => undefined, makeTables });
  let messages = 0;
  const log = createSqliteEventWriter(db, (steps) => {
    messages += 1;
    return dialect.exchange(steps);
  });
  const events = createEventStore({ db, eventWriter: log } as Database);
  const messagesFor = async (...sessionIds: string[]) => {
    const before = messages;
    await events.append(
      sessionIds.map((sessionId) => eventRow({ sessionId })),
      eachRevises,
    );
    return messages - before;
  };
  return { messagesFor, events };
}

describe("The SQLite log writer", () => {
  it("sends one message for a group of new calls, once the head of the log is known", async () => {
    const { messagesFor } = await countedStore();
    expect(await messagesFor("a", "b")).toBe(2);
    expect(await messagesFor("c", "d", "c")).toBe(1);
    expect(await messagesFor("e")).toBe(1);
  });

  it("reads first after known calls, until a group of new calls has come", async () => {
    const { messagesFor } = await countedStore();
    await messagesFor("a");
    expect(await messagesFor("b", "a")).toBe(3);
    expect(await messagesFor("a", "c")).toBe(2);
    expect(await messagesFor("d")).toBe(2);
    expect(await messagesFor("e")).toBe(1);
  });

  it("reads the head of the log again after a group that failed", async () => {
    const { messagesFor, events } = await countedStore();
    await messagesFor("a");
    const broken = eventRow({ sessionId: "b", data: null as unknown as string });
    await expect(events.append([broken], eachRevises)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(await messagesFor("b")).toBe(2);
    expect((await events.revisionsOf("b")).map(({ seq }) => seq)).toEqual([2]);
  });
});
