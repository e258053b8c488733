import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase, type Database } from "../../../src/store/database.ts";
import { createEventStore, type EventPage } from "../../../src/store/events/eventStore.ts";
import { migrate } from "../../../src/store/migrations/migrations.ts";
import { silentLog } from "../../support/silentLog.ts";
import { databases } from "../databases.ts";
import { plansOf } from "../plansOf.ts";
import { appendRows, eventRow } from "../tempStore.ts";

const ROWS = 5000;

/** The database's plan of the first statement that a read sends. */
async function planOf(database: Database, page: EventPage): Promise<string> {
  const [first] = await plansOf(database, (on) => createEventStore(on).read(page));
  return first?.text ?? "";
}

describe.each(databases)("Lists without imported calls (%s)", (_, { create }) => {
  it("read the index that leaves them out, in both orders and between two positions", async () => {
    const database = await openDatabase((await create()).url, silentLog, { fsync: "elsewhere" });
    onTestFinished(() => database[Symbol.asyncDispose]());
    await migrate(database);
    const rows = Array.from({ length: ROWS }, (__, at) =>
      eventRow({ sessionId: `s${at}`, source: at % 500 === 0 ? "WEBHOOK" : "IMPORTED" }),
    );
    await appendRows(createEventStore(database), rows);
    await sql`analyze`.execute(database.db);
    const page = { filter: { imported: false }, revisions: false, limit: 10 } as const;
    for (const place of [
      { order: "newestFirst", after: null, through: null },
      { order: "oldestFirst", after: 100, through: null },
      { order: "oldestFirst", after: 100, through: ROWS },
    ] as const)
      expect(await planOf(database, { ...page, ...place })).toContain("events_not_imported");
  });
});
