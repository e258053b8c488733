// LogWriter for PostgreSQL. A group of new calls takes one exchange while no other gateway appends. Otherwise it takes four: take
// the lock, read the known revisions, write the rows, commit.
import { CompiledQuery, type Kysely, type Selectable } from "kysely";
import { EVENT_COLUMNS, type LogWriter, type NewRows } from "../log/logWriter.ts";
import type { EventsTable, Tables } from "../tables.ts";
import type { Exchange } from "./postgres.ts";

const SEQUENCE = "pg_get_serial_sequence('events', 'seq')";
const LAST_SEQ = `coalesce(pg_sequence_last_value(${SEQUENCE}::regclass), 0)`;
const HAS_ERASURES = "exists (select 1 from forgotten)";
const KNOWN = `select
  (select coalesce(json_agg(e order by revision), '[]') from events e where session_id = any($1)) as revisions,
  ${HAS_ERASURES} as "hasErasures", ${LAST_SEQ} as "lastSeq"`;

const COLUMNS = EVENT_COLUMNS.join();
const EVENTS = `insert into events (${COLUMNS}) select ${COLUMNS} from json_populate_recordset(null::events, $2)`;
const ASSISTANTS = `insert into event_assistants select assistant_id, seq
  from json_populate_recordset(null::event_assistants, $3)`;
/** All parts of this statement see the rows from before it, so the update does not touch the inserted rows. */
const WRITE = `with
  older as (update events set newest = 0 where session_id = any($1) and newest = 1),
  added as (${EVENTS}),
  named as (${ASSISTANTS})
  select setval(${SEQUENCE}, $4::bigint), `;
/** A count, because for "exists" the planner may read the whole table. */
const ARE_NEW = `${LAST_SEQ} = $5::bigint and not ${HAS_ERASURES}
  and (select count(*) from events where session_id = any($1)) = 0`;

/** Groups after a wrong guess that are written without one: other gateways probably append too. */
const GROUPS_WITHOUT_GUESS = 20;

interface KnownRow {
  revisions: Selectable<EventsTable>[];
  hasErasures: boolean;
  lastSeq: number;
}

type Decide = Parameters<LogWriter["write"]>[1];

export interface PostgresLogWriterOptions {
  exchange: Exchange;
  /** A statement without parameters that takes the log's lock until the end of the transaction. */
  lock: string;
  /** An SQL condition: this transaction has the lock. */
  isLocked: string;
  /** An SQL expression that notifies the listeners of the log's new end when the transaction commits. */
  notify: (through: string) => string;
}

export function createPostgresLogWriter(db: Kysely<Tables>, options: PostgresLogWriterOptions): LogWriter {
  const { exchange, lock, isLocked, notify } = options;
  const begin = `begin; ${lock}`;
  const written = WRITE + notify("$4::text");
  const writtenAsNew = `with new as materialized (select 1 where ${isLocked} and ${ARE_NEW}),
    added as (${EVENTS} where exists (select 1 from new)),
    named as (${ASSISTANTS} where exists (select 1 from new))
    select setval(${SEQUENCE}, $4::bigint), ${notify("$4::text")} from new`;
  /** The log's last position while the next group is probably new. Null: read the known revisions first. */
  let end: number | null = null;
  let groupsUntilGuess = 0;

  /** True: the calls were new and are committed. False: nothing was written. */
  async function writeAsNew(lastSeq: number, sessionIds: readonly string[], decide: Decide): Promise<boolean> {
    const rows = await decide({ revisions: [], hasErasures: false, lastSeq }, db);
    if (!rows) return false;
    const [, ...parameters] = parametersOf(rows);
    const write = [writtenAsNew, [sessionIds, ...parameters, lastSeq]] as const;
    const [, added, done] = await exchange([[begin], write, ["commit"]]);
    throwUnlessCommitted(done?.command);
    if (added?.rows.length !== 1) return false;
    end = lastSeq + rows.events.length;
    return true;
  }

  return {
    async write(sessionIds, decide) {
      const lastSeq = end;
      end = null;
      groupsUntilGuess -= 1;
      if (lastSeq !== null && (await writeAsNew(lastSeq, sessionIds, decide))) return;
      await db.connection().execute(async (trx) => {
        try {
          await query(trx, begin);
          const [known] = await query<KnownRow>(trx, KNOWN, [sessionIds]);
          const rows = known && (await decide(known, trx));
          if (rows) await query(trx, written, parametersOf(rows));
          throwUnlessCommitted((await query<{ command: string }>(trx, "commit"))[0]?.command);
          if (!known) return;
          if (lastSeq !== null && lastSeq !== known.lastSeq) groupsUntilGuess = GROUPS_WITHOUT_GUESS;
          // A sender that repeats one call repeats more of them, and an erased call is not new.
          const isLikelyNew = known.revisions.length === 0 && !known.hasErasures && groupsUntilGuess <= 0;
          if (isLikelyNew) end = known.lastSeq + (rows?.events.length ?? 0);
        } catch (error) {
          // If the connection is gone, so is the transaction, and the first error tells the cause.
          await query(trx, "rollback").catch(() => undefined);
          throw error;
        }
      });
    },
  };
}

async function query<Row>(trx: Kysely<Tables>, text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  return (await trx.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))).rows;
}

/** The server answers the commit of a failed transaction with ROLLBACK instead of an error. */
function throwUnlessCommitted(command: string | undefined): void {
  if (command !== "COMMIT") throw new Error("PostgreSQL rolled the transaction back");
}

/** Rows are one JSON parameter: numbers keep all digits, and no text holds a NUL. */
function parametersOf({ events, assistants, revised }: NewRows): unknown[] {
  return [revised, JSON.stringify(events), JSON.stringify(assistants), events.at(-1)?.seq];
}
