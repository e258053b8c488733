// Notices a promotion of a standby, or a recovery to an earlier moment, under the log's lock: PostgreSQL then counts on another
// timeline than the one that wrote the log last. Commits may be lost, so the log goes on far behind every position that they had.
import { CompiledQuery, type Kysely } from "kysely";
import { ERASED, PURGED } from "../events/purgeEvents.ts";
import { LOST_AT, LOST_EVENTS, RESTORED_AFTER, RESTORED_THROUGH } from "../events/restoredLog.ts";
import type { Tables } from "../tables.ts";

const SETTING = "log_timeline";
/** On a standby the function fails, and there a write gives the better error. */
const TIMELINE = "case when pg_is_in_recovery() then null else left(pg_walfile_name(pg_current_wal_lsn()), 8) end";

export interface LogTimeline {
  /** SQL: the timeline of the server. Null: it cannot be read. */
  current: string;
  /** SQL: the timeline on which the log was written last. Null: it was never noted. */
  ofLog: string;
  /** SQL condition: nobody has promoted the server since. */
  isSame: string;
  /** SQL that notes the current timeline. */
  note: string;
  /**
   * SQL that notes the lost positions as ops/afterRestore.sql does, and continues behind them. Its parameter is the last position that
   * this gateway has seen: entries up to there are certainly lost. Run it in a transaction of its own, because it also sets the sequence.
   */
  skip: string;
}

const SEQUENCE = "pg_get_serial_sequence('events', 'seq')";
const OF_LOG = `(select value from settings where name = '${SETTING}')`;
const REPLACE = "on conflict (name) do update set value = excluded.value";
/** Added to the clock in milliseconds: a log gets fewer than a thousand events a second. */
const SKIPPED_POSITIONS = 1_000_000;

/** Servers that are no plain PostgreSQL may refuse to tell their timeline. Then only what this gateway has seen shows a loss. */
export async function findTimeline(db: Kysely<Tables>): Promise<LogTimeline> {
  const isReadable = await db.executeQuery(CompiledQuery.raw(`select ${TIMELINE}`)).then(
    () => true,
    () => false,
  );
  const current = isReadable ? TIMELINE : "null::text";
  return {
    current,
    ofLog: OF_LOG,
    isSame: isReadable ? `${OF_LOG} = ${TIMELINE}` : "true",
    note: `insert into settings (name, value) select '${SETTING}', it from (select ${current} as it) as timeline where it is not null ${REPLACE}`,
    skip: skipSql(current),
  };
}

const skipSql = (current: string): string => `with log as (
    select greatest(
      (select max(seq) from events),
      (select max(value::bigint) from settings where name in ('${PURGED}', '${ERASED}')),
      0
    ) as last
  ), before as (
    select max(value::bigint) filter (where name = '${RESTORED_AFTER}') as after,
      max(value::bigint) filter (where name = '${RESTORED_THROUGH}') as through
    from settings where name in ('${RESTORED_AFTER}', '${RESTORED_THROUGH}')
  ), positions as (
    -- Where nothing was written since positions were skipped before, both ranges are one.
    select case when last = before.through then before.after else last end as after,
      greatest(last, $1::bigint, pg_sequence_last_value(${SEQUENCE}::regclass), extract(epoch from now())::bigint * 1000)
        + ${SKIPPED_POSITIONS} as next,
      greatest($1::bigint - last, 0) as lost
    from log, before
  ), noted as (
    insert into settings (name, value)
    select name, value from positions, lateral (values
      ('${ERASED}', next::text),
      ('${RESTORED_AFTER}', after::text),
      ('${RESTORED_THROUGH}', next::text),
      ('${LOST_EVENTS}', lost::text),
      ('${LOST_AT}', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
      ('${SETTING}', ${current})
    ) as setting (name, value)
    where value is not null
    ${REPLACE}
  )
  select lost, setval(${SEQUENCE}, next) from positions`;
