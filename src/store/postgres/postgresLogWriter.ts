// LogWriter for PostgreSQL, in four exchanges: take the lock, read the known revisions, write the rows, commit.
import { CompiledQuery, type Kysely, type Selectable } from "kysely";
import { EVENT_COLUMNS, type LogWriter, type NewRows } from "../log/logWriter.ts";
import type { EventsTable, Tables } from "../tables.ts";

const SEQUENCE = "pg_get_serial_sequence('events', 'seq')";
const KNOWN = `select
  (select coalesce(json_agg(e order by revision), '[]') from events e where session_id = any($1)) as revisions,
  exists (select 1 from forgotten) as "hasErasures",
  coalesce(pg_sequence_last_value(${SEQUENCE}::regclass), 0) as "lastSeq"`;

const COLUMNS = EVENT_COLUMNS.join();
/** All parts of this statement see the rows from before it, so the update does not touch the inserted rows. */
const WRITE = `with
  older as (update events set newest = 0 where session_id = any($1) and newest = 1),
  added as (insert into events (${COLUMNS}) select ${COLUMNS} from json_populate_recordset(null::events, $2)),
  named as (insert into event_assistants select assistant_id, seq
    from json_populate_recordset(null::event_assistants, $3))
  select setval(${SEQUENCE}, $4::bigint), `;

interface KnownRow {
  revisions: Selectable<EventsTable>[];
  hasErasures: boolean;
  lastSeq: number;
}

export interface PostgresLogWriterOptions {
  /** Statements without parameters that begin a transaction and take the log's lock. */
  begin: string;
  /** An SQL expression that notifies the listeners of the log's new end when the transaction commits. */
  notify: (through: string) => string;
}

export function createPostgresLogWriter(db: Kysely<Tables>, { begin, notify }: PostgresLogWriterOptions): LogWriter {
  const written = WRITE + notify("$4::text");
  return {
    write: (sessionIds, decide) =>
      db.connection().execute(async (trx) => {
        try {
          await query(trx, begin);
          const [known] = await query<KnownRow>(trx, KNOWN, [sessionIds]);
          const rows = known && (await decide(known, trx));
          if (rows) await query(trx, written, parametersOf(rows));
          await commit(trx);
        } catch (error) {
          // If the connection is gone, so is the transaction, and the first error tells the cause.
          await query(trx, "rollback").catch(() => undefined);
          throw error;
        }
      }),
  };
}

async function query<Row>(trx: Kysely<Tables>, text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  return (await trx.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))).rows;
}

/** The server answers the commit of a failed transaction with ROLLBACK instead of an error. */
async function commit(trx: Kysely<Tables>): Promise<void> {
  const [done] = await query<{ command: string }>(trx, "commit");
  if (done?.command !== "COMMIT") throw new Error("PostgreSQL rolled the transaction back");
}

/** Rows are one JSON parameter: numbers keep all digits, and no text holds a NUL. */
function parametersOf({ events, assistants, revised }: NewRows): unknown[] {
  return [revised, JSON.stringify(events), JSON.stringify(assistants), events.at(-1)?.seq];
}
