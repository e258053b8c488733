// LogWriter on SQLite: one message to the database's thread to begin and to read, one to write and to commit. Rows are bound
// one by one to a statement that is kept, which costs less than one statement of many rows, or rows as JSON.
import type { Kysely, Selectable } from "kysely";
import { EVENT_COLUMNS, type LogWriter, type NewRows } from "./logWriter.ts";
import type { Exchange } from "./sqlite.ts";
import type { Step, StepResult } from "./sqliteThread.ts";
import type { EventsTable, Tables } from "./tables.ts";

const ONCE = [[]] as const;
const BEGIN: Step = { sql: "begin immediate", runs: ONCE };
const COMMIT: Step = { sql: "commit", runs: ONCE };
const ROLLBACK: Step = { sql: "rollback", runs: ONCE };

const REVISIONS = `select * from events where session_id in (select value from json_each(?)) order by session_id, revision`;
const STATE: Step = {
  // A place is not given again though its row was the newest and is gone.
  sql: `select
    max(coalesce((select seq from sqlite_sequence where name = 'events'), 0),
      coalesce((select max(seq) from events), 0)) as lastPlace,
    exists (select 1 from forgotten) as hasForgotten`,
  runs: ONCE,
};
const REVISED = "update events set newest = 0 where session_id = ? and newest = 1";
const EVENT = `insert into events (${EVENT_COLUMNS.join()}) values (${EVENT_COLUMNS.map(() => "?").join()})`;
const ASSISTANT = "insert into event_assistants (assistant_id, seq) values (?, ?)";

export function createSqliteLogWriter(db: Kysely<Tables>, exchange: Exchange): LogWriter {
  return {
    write: (sessionIds, decide) =>
      // The one connection is held meanwhile: nobody else's statement gets into the transaction.
      db.connection().execute(async (trx) => {
        try {
          const asked = { sql: REVISIONS, runs: [[JSON.stringify(sessionIds)]] };
          const [, revisions, state] = (await exchange([BEGIN, asked, STATE])) as [unknown, StepResult, StepResult];
          const { lastPlace, hasForgotten } = state.rows[0] as { lastPlace: number; hasForgotten: number };
          const known = {
            revisions: revisions.rows as Selectable<EventsTable>[],
            hasForgotten: hasForgotten === 1,
            lastPlace,
          };
          const rows = await decide(known, trx);
          await exchange(rows ? [...stepsOf(rows), COMMIT] : [ROLLBACK]);
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
