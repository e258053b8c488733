// The worker's tables. A call and its cursor are written in one transaction, so a crash leaves both or none.
import { DatabaseSync } from "node:sqlite";

const TABLES = `
  CREATE TABLE IF NOT EXISTS calls (
    session_id TEXT PRIMARY KEY, caller TEXT, callee TEXT, ended_at TEXT, answered INTEGER
  ) STRICT;
  CREATE TABLE IF NOT EXISTS gaps (behind TEXT NOT NULL, up_to TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS place (id INTEGER PRIMARY KEY CHECK (id = 1), cursor TEXT NOT NULL) STRICT;
`;

/**
 * What this worker stores of a call.
 * @typedef {Pick<import("switchboard-client").CallEnded, "sessionId" | "caller" | "callee" | "endAt" | "answered">} Call
 */

/** @param {string} path */
export function openCallTable(path) {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${TABLES}`);
  const insertCall = database.prepare("INSERT INTO calls VALUES (?, ?, ?, ?, ?)");
  const insertGap = database.prepare("INSERT INTO gaps VALUES (?, ?)");
  const selectPlace = database.prepare("SELECT cursor FROM place");
  const upsertPlace = database.prepare(
    "INSERT INTO place VALUES (1, ?) ON CONFLICT DO UPDATE SET cursor = excluded.cursor",
  );

  /** @param {import("switchboard-client").StreamItem<Call>} item */
  function insert(item) {
    if (item.type === "gap") return insertGap.run(item.after, item.cursor);
    const { sessionId, caller, callee, endAt, answered } = item.call;
    return insertCall.run(sessionId, caller, callee, endAt, answered === null ? null : Number(answered));
  }

  return {
    /** The place of the last item, or null before the first one. */
    cursor: () => /** @type {{ cursor: string } | undefined} */ (selectPlace.get())?.cursor ?? null,

    /** @param {string} cursor */
    begin(cursor) {
      upsertPlace.run(cursor);
      return cursor;
    },

    /** @param {import("switchboard-client").StreamItem<Call>} item */
    add(item) {
      database.exec("BEGIN IMMEDIATE");
      try {
        insert(item);
        upsertPlace.run(item.cursor);
        database.exec("COMMIT");
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
      return item.cursor;
    },

    close: () => database.close(),
  };
}
