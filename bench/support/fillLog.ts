// Fills the log of a SQLite file faster than a gateway could: without syncs, and with indexes that are built at the end. The rows
// are those that a gateway writes, with their checksums.
import { DatabaseSync } from "node:sqlite";
import { createEventCursors } from "../../src/events/logEntry.ts";
import { deliveryOf, reviseCall } from "../../src/events/reviseCall.ts";
import { EVENT_COLUMNS } from "../../src/store/events/eventWriter.ts";
import { fullRowOf } from "../../src/store/events/eventStore.ts";
import { openStore } from "../../src/store/store.ts";
import { createSigner } from "../../src/util/hmac.ts";
import { silentLog } from "../../test/support/silentLog.ts";
import { callEnded } from "./callEnded.ts";

const READERS = ["known tasks", "recordings", "correlation"];
const COMMIT_EACH = 500_000;
const EVENT = `insert into events (${EVENT_COLUMNS.join()}) values (${EVENT_COLUMNS.map(() => "?").join()})`;
const INDEXES = `select name, sql from sqlite_master
  where type = 'index' and sql is not null and tbl_name in ('events', 'event_assistants')`;

export async function fillLog(file: string, count: number): Promise<void> {
  const url = `file:${file}`;
  await (await openStore({ url, log: silentLog }))[Symbol.asyncDispose]();
  insertRows(file, count);
  // A gateway that starts on the log has nothing to catch up with.
  await using store = await openStore({ url, log: silentLog });
  const head = createEventCursors(createSigner(store.signingKey)).at(await store.events.head());
  for (const reader of READERS) await store.readers.advance(reader, head);
}

function insertRows(file: string, count: number): void {
  using database = new DatabaseSync(file);
  database.exec("pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -200000");
  const indexes = database.prepare(INDEXES).all() as { name: string; sql: string }[];
  for (const { name } of indexes) database.exec(`drop index ${name}`);
  const insertEvent = database.prepare(EVENT);
  const insertAssistant = database.prepare("insert into event_assistants (assistant_id, seq) values (?, ?)");
  const receivedAt = new Date().toISOString();
  database.exec("begin");
  for (let seq = 1; seq <= count; seq += 1) {
    // In the order of their index, which is part of the table.
    const sessionId = `start-${String(seq).padStart(12, "0")}`;
    const row = reviseCall([], deliveryOf(callEnded(sessionId), "WEBHOOK", receivedAt));
    if (!row) throw new Error("A new call added no row.");
    const values = fullRowOf({ ...row, seq }, true);
    insertEvent.run(...EVENT_COLUMNS.map((name) => values[name]));
    for (const assistantId of row.assistantIds) insertAssistant.run(assistantId, seq);
    if (seq % COMMIT_EACH === 0) database.exec("commit; begin");
  }
  database.exec("commit");
  for (const { sql } of indexes) database.exec(sql);
  database.exec("pragma journal_mode = wal");
}
