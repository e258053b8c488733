// LogWriter on SQLite: in one message to the database's thread where all calls of a group are new, as almost all are; else by
// a second one, when what is known of them has been read. Rows are bound one by one to a statement that is kept, which costs
// less than one statement of many rows, or rows as JSON.
import type { Kysely, Selectable } from "kysely";
import { EVENT_COLUMNS, type KnownCalls, type LogWriter, type NewRows } from "../log/logWriter.ts";
import type { Exchange } from "./sqlite.ts";
import type { Step, StepResult } from "./sqliteThread.ts";
import type { EventsTable, Tables } from "../tables.ts";

const ONCE = [[]] as const;
const BEGIN: Step = { sql: "begin immediate", runs: ONCE };
const COMMIT: Step = { sql: "commit", runs: ONCE };
const ROLLBACK: Step = { sql: "rollback", runs: ONCE };

// A place is not given again though its row was the newest and is gone.
const LAST_SEQ = `max(coalesce((select seq from sqlite_sequence where name = 'events'), 0),
  coalesce((select max(seq) from events), 0))`;
const HAS_ERASURES = "exists (select 1 from forgotten)";
/** Gives a row unless nothing is known of these calls, nothing was ever erased, and the log ends at this place. */
const NOT_NEW = `select 1 where ${LAST_SEQ} <> ? or ${HAS_ERASURES}
  or exists (select 1 from json_each(?) as asked cross join events on events.session_id = asked.value)`;
const REVISIONS = `select * from events where session_id in (select value from json_each(?)) order by session_id, revision`;
const STATE: Step = { sql: `select ${LAST_SEQ} as lastSeq, ${HAS_ERASURES} as hasErasures`, runs: ONCE };
const REVISED = "update events set newest = 0 where session_id = ? and newest = 1";
const EVENT = `insert into events (${EVENT_COLUMNS.join()}) values (${EVENT_COLUMNS.map(() => "?").join()})`;
const ASSISTANT = "insert into event_assistants (assistant_id, seq) values (?, ?)";

export function createSqliteLogWriter(db: Kysely<Tables>, exchange: Exchange): LogWriter {
  /** Where the log ends, where the next group is likely to be new; null: what is known of it is read first. */
  let end: number | null = null;

  /** Whether it was so, and is committed; else the transaction has begun, and nothing is written. */
  async function writeAsNew(lastSeq: number, sessionIds: string, rows: NewRows): Promise<boolean> {
    const guard: Step = { sql: NOT_NEW, runs: [[lastSeq, sessionIds]], isGuard: true };
    const steps = [BEGIN, guard, ...stepsOf(rows), COMMIT];
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
    write: (sessionIds, decide) =>
      // The one connection is held meanwhile: nobody else's statement gets into the transaction.
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
          await exchange(rows ? [...stepsOf(rows), COMMIT] : [ROLLBACK]);
          // Whoever sends calls again sends more of them, and an erased call is none that is new.
          const isLikelyNew = known.revisions.length === 0 && !known.hasErasures;
          if (isLikelyNew) end = known.lastSeq + (rows?.events.length ?? 0);
        } catch (error) {
          // Where the thread has ended, there is nothing to roll back, and the first error says so.
          await exchange([ROLLBACK]).catch(() => undefined);
          throw error;
        }
      }),
  };
}

function stepsOf({ events, assistants, revised }: NewRows): Step[] {
  return [
    { sql: REVISED, runs: revised.map((sessionId) => [sessionId]) },
    { sql: EVENT, runs: events.map((row) => EVENT_COLUMNS.map((column) => row[column])) },
    { sql: ASSISTANT, runs: assistants.map(({ assistant_id, seq }) => [assistant_id, seq]) },
  ].filter(({ runs }) => runs.length > 0);
}
