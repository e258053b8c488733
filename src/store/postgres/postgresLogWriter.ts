// LogWriter on PostgreSQL: the lock, what is known, the rows, and the commit are an exchange each.
import { CompiledQuery, type Kysely, type Selectable } from "kysely";
import { EVENT_COLUMNS, type LogWriter, type NewRows } from "../log/logWriter.ts";
import type { EventsTable, Tables } from "../tables.ts";

const SEQUENCE = "pg_get_serial_sequence('events', 'seq')";
const KNOWN = `select
  (select coalesce(json_agg(e order by revision), '[]') from events e where session_id = any($1)) as revisions,
  exists (select 1 from forgotten) as "hasErasures",
  coalesce(pg_sequence_last_value(${SEQUENCE}::regclass), 0) as "lastSeq"`;

const COLUMNS = EVENT_COLUMNS.join();
/** One statement sees the rows as they were before it: none of those it inserts is an older revision. */
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
  /** Begins a transaction and takes the log's lock: several statements, without parameters. */
  begin: string;
  /** An expression that tells the listeners how far the log has grown, once it is committed. */
  notify: (through: string) => string;
}

export function createPostgresLogWriter(db: Kysely<Tables>, { begin, notify }: PostgresLogWriterOptions): LogWriter {
  const written = WRITE + notify("$4::text");
  return {
    write: (sessionIds, decide) =>
      db.connection().execute(async (trx) => {
        try {
          await ask(trx, begin);
          const [known] = await ask<KnownRow>(trx, KNOWN, [sessionIds]);
          const rows = known && (await decide(known, trx));
          if (rows) await ask(trx, written, parametersOf(rows));
          await commit(trx);
        } catch (error) {
          // Where the connection is gone, so is the transaction, and the first error says why.
          await ask(trx, "rollback").catch(() => undefined);
          throw error;
        }
      }),
  };
}

async function ask<Row>(trx: Kysely<Tables>, text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  return (await trx.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))).rows;
}

/** The server answers a commit of what has failed by a rollback, and no error. */
async function commit(trx: Kysely<Tables>): Promise<void> {
  const [done] = await ask<{ command: string }>(trx, "commit");
  if (done?.command !== "COMMIT") throw new Error("the transaction was rolled back");
}

/** Rows are one parameter, as JSON: numbers keep all their digits, and a NUL stands in none of them. */
function parametersOf({ events, assistants, revised }: NewRows): unknown[] {
  return [revised, JSON.stringify(events), JSON.stringify(assistants), events.at(-1)?.seq];
}
