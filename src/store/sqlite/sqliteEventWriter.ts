// EventWriter for SQLite. If all calls of a group are new, as almost always, one message to the thread writes them. Otherwise a
// second message writes them, after the known revisions were read. Rows are bound one by one to a prepared statement: one
// statement of many rows, or rows as JSON, costs more.
import type { Kysely, Selectable } from "kysely";
import { EVENT_COLUMNS, type KnownCalls, type EventWriter, type NewRows } from "../events/eventWriter.ts";
import type { Exchange } from "./sqlite.ts";
import type { Step, StepResult } from "./sqliteThread.ts";
import type { EventsTable, Tables } from "../tables.ts";

const ONCE = [[]] as const;
const BEGIN: Step = { sql: "begin immediate", runs: ONCE };
const COMMIT: Step = { sql: "commit", runs: ONCE };
const ROLLBACK: Step = { sql: "rollback", runs: ONCE };

// A position is never used twice, even if its row was the newest and was deleted.
const LAST_SEQ = `max(coalesce((select seq from sqlite_sequence where name = 'events'), 0),
  coalesce((select max(seq) from events), 0))`;
const HAS_ERASURES = "exists (select 1 from forgotten)";
/** Returns a row unless these calls are all new, nothing was ever erased, and the log ends at this position. */
const NOT_NEW = `select 1 where ${LAST_SEQ} <> ? or ${HAS_ERASURES}
  or exists (select 1 from json_each(?) as asked cross join events on events.session_id = asked.value)`;
const REVISIONS = `select * from events where session_id in (select value from json_each(?)) order by session_id, revision`;
const STATE: Step = { sql: `select ${LAST_SEQ} as lastSeq, ${HAS_ERASURES} as hasErasures`, runs: ONCE };
const REVISED = "update events set newest = 0 where session_id = ? and newest = 1";
const EVENT = `insert into events (${EVENT_COLUMNS.join()}) values (${EVENT_COLUMNS.map(() => "?").join()})`;
const ASSISTANT = "insert into event_assistants (assistant_id, seq) values (?, ?)";
/** The thread compresses. */
const RAW = "insert into raw_deliveries (first_seq, received_at, bodies) values (?, ?, compressed(?))";

export function createSqliteEventWriter(db: Kysely<Tables>, exchange: Exchange): EventWriter {
  /** The log's last position while the next group is probably new. Null: read the known revisions first. */
  let end: number | null = null;

  /** True: the calls were new and are committed. False: the transaction is open and nothing is written. */
  async function writeAsNew(lastSeq: number, sessionIds: string, rows: NewRows): Promise<boolean> {
    const guard: Step = { sql: NOT_NEW, runs: [[lastSeq, sessionIds]], isGuard: true };
    const steps = [BEGIN, guard, ...insertStepsOf(rows), COMMIT];
    return (await exchange(steps)).length === steps.length;
  }

  async function readKnown(sessionIds: string, begin: readonly Step[]): Promise<KnownCalls> {
    const asked = { sql: REVISIONS, runs: [[sessionIds]] };
    const [revisions, state] = (await exchange([...begin, asked, STATE])).slice(begin.length) as [
      StepResult,
      StepResult,
    ];
    const { lastSeq, hasErasures } = state.rows[0] as { lastSeq: number; hasErasures: number };
    return {
      revisions: revisions.rows as Selectable<EventsTable>[],
      hasErasures: hasErasures === 1,
      lastSeq,
    };
  }

  return {
    saw: () => undefined,
    write: (sessionIds, decide) =>
      // This holds the only connection, so no other statement gets into the transaction.
      db.connection().execute(async (trx) => {
        const lastSeq = end;
        end = null;
        const asked = JSON.stringify(sessionIds);
        try {
          const asNew = lastSeq === null ? null : await decide({ revisions: [], hasErasures: false, lastSeq }, trx);
          if (lastSeq !== null && asNew && (await writeAsNew(lastSeq, asked, asNew))) {
            end = lastSeq + asNew.events.length;
            return;
          }
          const known = await readKnown(asked, asNew ? [] : [BEGIN]);
          const rows = await decide(known, trx);
          await exchange(rows ? [...insertStepsOf(rows), COMMIT] : [ROLLBACK]);
          // A sender that repeats one call repeats more of them, and an erased call is not new.
          const isLikelyNew = known.revisions.length === 0 && !known.hasErasures;
          if (isLikelyNew) end = known.lastSeq + (rows?.events.length ?? 0);
        } catch (error) {
          // If the thread has ended, there is nothing to roll back, and the first error tells the cause.
          await exchange([ROLLBACK]).catch(() => undefined);
          throw error;
        }
      }),
  };
}

function insertStepsOf({ events, assistants, revised, raw }: NewRows): Step[] {
  return [
    { sql: REVISED, runs: revised.map((sessionId) => [sessionId]) },
    { sql: EVENT, runs: events.map((row) => EVENT_COLUMNS.map((column) => row[column])) },
    { sql: ASSISTANT, runs: assistants.map(({ assistant_id, seq }) => [assistant_id, seq]) },
    { sql: RAW, runs: raw.map(({ first_seq, received_at, frame }) => [first_seq, received_at, frame]) },
  ].filter(({ runs }) => runs.length > 0);
}
