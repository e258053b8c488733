// What looks at tasks keep and read: since when tasks have been seen to run, when their last calls ended, and what the last look could not tell.
import { sql } from "kysely";
import { epochMsOf, instantOf } from "../../format/instant.ts";
import { HOUR_MS } from "../../util/durations.ts";
import type { Database } from "../database.ts";
import { guarded } from "../storeError.ts";

/** As looks have seen a task. Instants are RFC 3339. */
export interface TaskRun {
  /** Since when it has been seen to run, in its hours. Null: the last look saw that it does not. */
  since: string | null;
  seenAt: string;
}

export interface LastEnds {
  /** The newest end of each task's calls. Tasks that have none are missing. */
  ends: ReadonlyMap<string, string>;
  /** When the newest delivery came, or the newest call ended, of which nobody can say whether it is of one of the tasks. */
  unread: string | null;
}

/** What the last look at a task has shown. Instants are epoch milliseconds. */
export interface TaskNote {
  /** When the service was asked. */
  at: number;
  /** Since when it has ended, as far as that is known. Null: it may still call, or it could not be read. */
  overSince: number | null;
  /** Null: it cannot be read. */
  assistantId: string | null;
  /** When the service stopped it last, also where it has gone on since. Missing: it never has. */
  stop?: number;
  /** When a look last saw it go on, or that somebody had stopped it. Missing: none has. */
  goneOnAt?: number;
}

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface TaskLookStore {
  /** By their names, such as `task 7`. */
  runs(names: readonly string[]): Promise<ReadonlyMap<string, TaskRun>>;
  /** A run that was seen before the stored one changes nothing. */
  saveRuns(runs: ReadonlyMap<string, TaskRun>): Promise<void>;
  /** Why the last look could not tell, by the names of rules: of whichever gateway evaluates. */
  doubts(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Doubts of a look before the stored one change nothing, as a run and notes. One that is an hour before it has a clock that was set back. */
  saveDoubts(doubts: ReadonlyMap<string, readonly string[]>, at: string): Promise<void>;
  /** By the IDs of tasks. */
  notes(): Promise<ReadonlyMap<string, TaskNote>>;
  /** In place of those before. Notes of a look before the stored one change nothing. */
  saveNotes(notes: ReadonlyMap<string, TaskNote>, at: string): Promise<void>;
  /** The assistants of tasks that were created through a gateway in that time, and of which no call has shown which they are. */
  assistantsOfUnknown(since: string, before: string): Promise<string[]>;
  /** Reads the calls that ended at an instant or later, once for all tasks. Imported and inbound calls do not count. */
  lastEnds(taskIds: readonly string[], since: string): Promise<LastEnds>;
}

/** The states of rules have names, and no rule has this one. */
const RULE = "";
const DOUBTS = "doubts";
const NOTES = "notes";
/** A service whose clock is ahead ends no call later than it became known. */
const END = sql<string>`max(case when ended_at < received_at then ended_at else received_at end)`;

/** A gateway that evaluates no longer may write minutes late. What is stored of an hour later was written before the clock was set back. */
const setBackFrom = (at: string): string => instantOf(epochMsOf(at) + HOUR_MS);

export function createTaskLookStore({ db }: Database): TaskLookStore {
  async function read<Value>(subject: string): Promise<ReadonlyMap<string, Value>> {
    const rows = db.selectFrom("alert_states").select("state").where("rule", "=", RULE);
    const row = await rows.where("subject", "=", subject).executeTakeFirst();
    return new Map(row ? (JSON.parse(row.state) as [string, Value][]) : []);
  }
  async function write(subject: string, values: ReadonlyMap<string, unknown>, at: string): Promise<void> {
    const state = JSON.stringify([...values]);
    const row = { rule: RULE, subject, counting: "", reader: "", open: 0, at, state };
    const isBefore = sql<boolean>`(alert_states.at <= excluded.at or alert_states.at > ${setBackFrom(at)})`;
    const added = db.insertInto("alert_states").values(row);
    await added
      .onConflict((conflict) => conflict.columns(["rule", "subject"]).doUpdateSet({ at, state }).where(isBefore))
      .execute();
  }
  return {
    runs: (names) =>
      guarded(async () => {
        const rows = db.selectFrom("alert_states").select(["subject", "at", "state"]).where("rule", "=", RULE);
        const found = names.length === 0 ? [] : await rows.where("subject", "in", names).execute();
        return new Map(
          found.map(({ subject, at, state }) => {
            const { since } = JSON.parse(state) as Pick<TaskRun, "since">;
            return [subject, { since, seenAt: at }];
          }),
        );
      }),
    saveRuns: (runs) =>
      guarded(async () => {
        for (const [subject, { since, seenAt: at }] of runs) {
          const state = JSON.stringify({ since });
          const row = { rule: RULE, subject, counting: "", reader: "", open: 0, at, state };
          const isLater = sql<boolean>`(alert_states.at < excluded.at or alert_states.at > ${setBackFrom(at)})`;
          const added = db.insertInto("alert_states").values(row);
          await added
            .onConflict((conflict) => conflict.columns(["rule", "subject"]).doUpdateSet({ at, state }).where(isLater))
            .execute();
        }
      }),
    doubts: () => guarded(() => read<string[]>(DOUBTS)),
    saveDoubts: (doubts, at) => guarded(() => write(DOUBTS, doubts, at)),
    notes: () => guarded(() => read<TaskNote>(NOTES)),
    saveNotes: (notes, at) => guarded(() => write(NOTES, notes, at)),
    assistantsOfUnknown: (since, before) =>
      guarded(async () => {
        const created = db.selectFrom("submissions").select("assistant_id").distinct().where("status", "=", "ACCEPTED");
        const found = await created.where("submitted_at", ">=", since).where("submitted_at", "<", before).execute();
        return found.map(({ assistant_id }) => assistant_id);
      }),
    lastEnds: (taskIds, since) =>
      guarded(async () => {
        const ended = db
          .selectFrom("events")
          .where("newest", "=", 1)
          .where("source", "<>", "IMPORTED")
          .where("ended_at", ">=", since)
          .where(sql<boolean>`coalesce(direction, '') <> 'inbound'`);
        // A condition on tasks, and a group by the column alone, would make SQLite read every call of a task that the log has.
        const taskId = sql<string>`coalesce(task_id, '')`;
        const found = await ended
          .groupBy(taskId)
          .select([taskId.as("taskId"), END.as("last")])
          .execute();
        const lastOf = new Map(found.map(({ taskId: id, last }) => [id, last]));
        const unreadable = db
          .selectFrom("quarantine")
          .where("kind", "=", "UNREADABLE")
          .where("received_at", ">=", since);
        const [delivery] = await unreadable.select(sql<string | null>`max(received_at)`.as("last")).execute();
        const own = taskIds.flatMap((id) => {
          const last = lastOf.get(id);
          return last === undefined ? [] : [[id, last] as const];
        });
        const [ofNobody = "", unread = ""] = [lastOf.get(""), delivery?.last ?? undefined];
        return { ends: new Map(own), unread: (ofNobody > unread ? ofNobody : unread) || null };
      }),
  };
}
