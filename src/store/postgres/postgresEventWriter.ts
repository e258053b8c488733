// EventWriter for PostgreSQL. A group of new calls takes one exchange while no other gateway appends. Otherwise it takes four: take
// the lock, read the known revisions, write the rows, commit.
import { CompiledQuery, type Kysely, type Selectable } from "kysely";
import { ownNumber, type Logger } from "../../logger.ts";
import { EVENT_COLUMNS, type EventWriter, type NewRows } from "../events/eventWriter.ts";
import { compressLater } from "../events/rawFrame.ts";
import type { EventsTable, Tables } from "../tables.ts";
import type { LogTimeline } from "./logTimeline.ts";
import type { Exchange } from "./postgres.ts";

const SEQUENCE = "pg_get_serial_sequence('events', 'seq')";
const LAST_SEQ = `coalesce(pg_sequence_last_value(${SEQUENCE}::regclass), 0)`;
const HAS_ERASURES = "exists (select 1 from forgotten)";
const knownSql = ({ current, ofLog }: LogTimeline): string => `select
  (select coalesce(json_agg(e order by revision), '[]') from events e where session_id = any($1)) as revisions,
  ${HAS_ERASURES} as "hasErasures", ${LAST_SEQ} as "lastSeq", ${current} as timeline, ${ofLog} as "timelineOfLog"`;

const COLUMNS = EVENT_COLUMNS.join();
const EVENTS = `insert into events (${COLUMNS}) select ${COLUMNS} from json_populate_recordset(null::events, $2)`;
const ASSISTANTS = `insert into event_assistants select assistant_id, seq
  from json_populate_recordset(null::event_assistants, $3)`;
const RAW = `insert into raw_deliveries select first_seq, received_at, decode(bodies, 'base64')
  from json_to_recordset($5) as raw(first_seq bigint, received_at text, bodies text)`;
/** All parts of this statement see the rows from before it, so the update does not touch the inserted rows. */
const WRITE = `with
  older as (update events set newest = 0 where session_id = any($1) and newest = 1),
  added as (${EVENTS}),
  named as (${ASSISTANTS}),
  kept as (${RAW})
  select setval(${SEQUENCE}, $4::bigint), `;
/** A count, because for "exists" the planner may read the whole table. */
const ARE_NEW = `${LAST_SEQ} = $6::bigint and not ${HAS_ERASURES}
  and (select count(*) from events where session_id = any($1)) = 0`;

/** Groups after a wrong guess that are written without one: other gateways probably append too. */
const GROUPS_WITHOUT_GUESS = 20;

interface KnownRow {
  revisions: Selectable<EventsTable>[];
  hasErasures: boolean;
  lastSeq: number;
  timeline: string | null;
  timelineOfLog: string | null;
}

type Decide = Parameters<EventWriter["write"]>[1];

export interface PostgresEventWriterOptions {
  exchange: Exchange;
  /** A statement without parameters that takes the log's lock until the end of the transaction. */
  lock: string;
  /** An SQL condition: this transaction has the lock. */
  isLocked: string;
  /** An SQL expression that notifies the listeners of the log's new end when the transaction commits. */
  notify: (through: string) => string;
  timeline: LogTimeline;
  log: Logger;
}

export function createPostgresEventWriter(db: Kysely<Tables>, options: PostgresEventWriterOptions): EventWriter {
  const { exchange, lock, isLocked, notify, timeline, log } = options;
  const known = knownSql(timeline);
  const begin = `begin; ${lock}`;
  const written = WRITE + notify("$4::text");
  const writtenAsNew = `with new as materialized (select 1 where ${isLocked} and ${timeline.isSame} and ${ARE_NEW}),
    added as (${EVENTS} where exists (select 1 from new)),
    named as (${ASSISTANTS} where exists (select 1 from new)),
    kept as (${RAW} where exists (select 1 from new))
    select setval(${SEQUENCE}, $4::bigint), ${notify("$4::text")} from new`;
  /** The log's last position while the next group is probably new. Null: read the known revisions first. */
  let end: number | null = null;
  let groupsUntilGuess = 0;
  /** The last position that this gateway has written or read. */
  let highestSeen = 0;

  /** Takes the log's lock, and reads what is known of the calls. Skips positions that PostgreSQL may have lost. */
  async function beginAndRead(trx: Kysely<Tables>, sessionIds: readonly string[]): Promise<KnownRow | undefined> {
    await query(trx, begin);
    const [row] = await query<KnownRow>(trx, known, [sessionIds]);
    if (!row) return row;
    const isOther = row.timeline !== null && row.timeline !== row.timelineOfLog;
    if (row.lastSeq < highestSeen || (isOther && row.timelineOfLog !== null)) {
      const [skipped] = await query<{ lost: number }>(trx, timeline.skip, [highestSeen]);
      await commit(trx);
      reportLoss(skipped?.lost ?? 0);
      return beginAndRead(trx, sessionIds);
    }
    if (isOther) await query(trx, timeline.note);
    return row;
  }

  function reportLoss(lostEvents: number): void {
    if (lostEvents > 0)
      log.error(
        { lostEvents: ownNumber(lostEvents) },
        "PostgreSQL lost events that it had committed; their positions are skipped",
      );
    else log.warn({}, "PostgreSQL was promoted or recovered; positions that it may have lost are skipped");
  }

  /** True: the calls were new and are committed. False: nothing was written. */
  async function writeAsNew(lastSeq: number, sessionIds: readonly string[], decide: Decide): Promise<boolean> {
    const rows = await decide({ revisions: [], hasErasures: false, lastSeq }, db);
    if (!rows) return false;
    const [, ...parameters] = await parametersOf(rows);
    const write = [writtenAsNew, [sessionIds, ...parameters, lastSeq]] as const;
    const [, added, done] = await exchange([[begin], write, ["commit"]]);
    throwUnlessCommitted(done?.command);
    if (added?.rows.length !== 1) return false;
    end = lastSeq + rows.events.length;
    return true;
  }

  return {
    saw(position) {
      highestSeen = Math.max(highestSeen, position);
    },
    async write(sessionIds, decide) {
      const lastSeq = end;
      end = null;
      groupsUntilGuess -= 1;
      if (lastSeq !== null && (await writeAsNew(lastSeq, sessionIds, decide))) return;
      await db.connection().execute(async (trx) => {
        try {
          const row = await beginAndRead(trx, sessionIds);
          const rows = row && (await decide(row, trx));
          if (rows) await query(trx, written, await parametersOf(rows));
          await commit(trx);
          if (!row) return;
          if (lastSeq !== null && lastSeq !== row.lastSeq) groupsUntilGuess = GROUPS_WITHOUT_GUESS;
          // A sender that repeats one call repeats more of them, and an erased call is not new.
          const isLikelyNew = row.revisions.length === 0 && !row.hasErasures && groupsUntilGuess <= 0;
          if (isLikelyNew) end = row.lastSeq + (rows?.events.length ?? 0);
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

async function commit(trx: Kysely<Tables>): Promise<void> {
  throwUnlessCommitted((await query<{ command: string }>(trx, "commit"))[0]?.command);
}

/** The server answers the commit of a failed transaction with ROLLBACK instead of an error. */
function throwUnlessCommitted(command: string | undefined): void {
  if (command !== "COMMIT") throw new Error("PostgreSQL rolled the transaction back");
}

/** Rows are one JSON parameter: numbers keep all digits, and no text holds a NUL. */
async function parametersOf({ events, assistants, revised, raw }: NewRows): Promise<unknown[]> {
  const kept = raw.map(async ({ frame, ...row }) => ({
    ...row,
    bodies: (await compressLater(frame)).toString("base64"),
  }));
  const json = [events, assistants, await Promise.all(kept)].map((rows) => JSON.stringify(rows));
  return [revised, json[0], json[1], events.at(-1)?.seq, json[2]];
}
