// Letters: events that a destination has not taken and that later ones have overtaken. They are kept by their positions in the log.
import { sql, type Kysely } from "kysely";
import type { Database } from "../database.ts";
import { chunksOf, databaseNow } from "../sqlHelpers.ts";
import { guarded } from "../storeError.ts";
import type { Tables } from "../tables.ts";
import { answerOf, columnsOf, type Answer } from "./lastAnswer.ts";
import { MAX_WAIT_MS, waitOf } from "./waits.ts";

export interface Letter {
  seq: number;
  attempts: number;
  firstAt: string;
  /** Milliseconds until the next attempt. Null: no further one is made by itself. */
  waitMs: number | null;
  lastAnswer: Answer | null;
}

export interface LetterCounts {
  /** Those that will be sent again. */
  waiting: number;
  dead: number;
}

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface LetterStore {
  /**
   * Adds a letter, or notes a further attempt. `waitMs` as of Letter. False: the event is not in the log any more, so nothing was kept. An
   * erasure that runs meanwhile is waited for.
   */
  keepLetter(name: string, seq: number, failure: { answer: Answer; waitMs: number | null }): Promise<boolean>;
  /** The letters whose time has come, the oldest first. */
  dueLetters(name: string, limit: number): Promise<Letter[]>;
  /** After a position, in order. */
  letters(name: string, page: { after: number; limit: number }): Promise<Letter[]>;
  /** False: there was none. */
  removeLetter(name: string, seq: number): Promise<boolean>;
  /** The position of the last letter; 0: there is none. */
  lastLetter(name: string): Promise<number>;
  /** Lets a letter be sent now. False: there is none. */
  wakeLetter(name: string, seq: number): Promise<boolean>;
  letterCounts(): Promise<ReadonlyMap<string, LetterCounts>>;
  /** Deletes at most `limit` letters of which the first attempt was before that instant. Returns how many of each destination. */
  purge(firstBefore: string, limit: number): Promise<ReadonlyMap<string, LetterCounts>>;
}

export function createLetterStore({ db, kind }: Database): LetterStore {
  const now = databaseNow(kind);
  const of = (name: string) =>
    db.selectFrom("destination_letters").selectAll().select(now.as("now")).where("destination", "=", name);
  const nextAt = (waitMs: number | null) =>
    waitMs === null ? sql<number | null>`cast(null as bigint)` : sql<number>`${now} + ${Math.round(waitMs)}`;
  return {
    keepLetter: (name, seq, { answer, waitMs }) =>
      guarded(async () => {
        const columns = { ...columnsOf(answer), next_at: nextAt(waitMs) };
        const { numInsertedOrUpdatedRows } = await db
          .insertInto("destination_letters")
          .columns(["destination", "seq", "attempts", "first_at", "next_at", "last_at", "last_status", "last_answer"])
          .expression((eb) =>
            eb
              .selectFrom("events")
              .select([
                sql<string>`cast(${name} as text)`.as("destination"),
                "events.seq",
                sql<number>`1`.as("attempts"),
                sql<string>`cast(${answer.at} as text)`.as("first_at"),
                columns.next_at.as("next_at"),
                sql<string>`cast(${columns.last_at} as text)`.as("last_at"),
                sql<number | null>`cast(${columns.last_status} as integer)`.as("last_status"),
                sql<string | null>`cast(${columns.last_answer} as text)`.as("last_answer"),
              ])
              .where("events.seq", "=", seq)
              .$if(kind === "postgres", (query) => query.forKeyShare()),
          )
          .onConflict((conflict) =>
            conflict
              .columns(["destination", "seq"])
              .doUpdateSet((eb) => ({ ...columns, attempts: eb("destination_letters.attempts", "+", 1) })),
          )
          .executeTakeFirst();
        return (numInsertedOrUpdatedRows ?? 0n) > 0n;
      }),
    dueLetters: (name, limit) =>
      guarded(async () => {
        const isDue = sql<boolean>`(next_at <= ${now} or next_at > ${now} + ${MAX_WAIT_MS})`;
        const due = of(name).where(isDue).orderBy("next_at").orderBy("seq").limit(limit);
        return (await due.execute()).map(letterOf);
      }),
    letters: (name, { after, limit }) =>
      guarded(async () =>
        (await of(name).where("seq", ">", after).orderBy("seq").limit(limit).execute()).map(letterOf),
      ),
    removeLetter: (name, seq) =>
      guarded(async () => {
        const own = db.deleteFrom("destination_letters").where("destination", "=", name).where("seq", "=", seq);
        return (await own.executeTakeFirst()).numDeletedRows > 0n;
      }),
    lastLetter: (name) =>
      guarded(async () => {
        const last = db.selectFrom("destination_letters").select("seq").where("destination", "=", name);
        return (await last.orderBy("seq", "desc").limit(1).executeTakeFirst())?.seq ?? 0;
      }),
    wakeLetter: (name, seq) =>
      guarded(async () => {
        const own = db.updateTable("destination_letters").where("destination", "=", name).where("seq", "=", seq);
        const { numUpdatedRows } = await own.set({ next_at: 0 }).executeTakeFirst();
        return numUpdatedRows > 0n;
      }),
    letterCounts: () =>
      guarded(async () => {
        const rows = await db
          .selectFrom("destination_letters")
          .select(["destination", sql<number>`count(*)`.as("all"), sql<number>`count(next_at)`.as("waiting")])
          .groupBy("destination")
          .execute();
        return new Map(rows.map((row) => [row.destination, { waiting: row.waiting, dead: row.all - row.waiting }]));
      }),
    purge: (firstBefore, limit) =>
      guarded(async () => {
        const old = await db
          .selectFrom("destination_letters")
          .select(["destination", "seq", "next_at"])
          .where("first_at", "<", firstBefore)
          // Where a clock was behind at the first attempt, the event may have come later.
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(selectFrom("events").select("events.seq").whereRef("events.seq", "=", "destination_letters.seq")),
            ),
          )
          .limit(limit)
          .execute();
        const purged = new Map<string, LetterCounts>();
        for (const { destination, seq, next_at } of old) {
          const { waiting, dead } = purged.get(destination) ?? { waiting: 0, dead: 0 };
          purged.set(destination, next_at === null ? { waiting, dead: dead + 1 } : { waiting: waiting + 1, dead });
          await db
            .deleteFrom("destination_letters")
            .where("destination", "=", destination)
            .where("seq", "=", seq)
            .execute();
        }
        return purged;
      }),
  };
}

function letterOf(row: {
  seq: number;
  attempts: number;
  first_at: string;
  next_at: number | null;
  last_at: string;
  last_status: number | null;
  last_answer: string | null;
  now: number;
}): Letter {
  return {
    seq: row.seq,
    attempts: row.attempts,
    firstAt: row.first_at,
    waitMs: row.next_at === null ? null : waitOf(row.next_at, row.now),
    lastAnswer: answerOf(row),
  };
}

/** Letters of erased events go, and what receivers answered, which may hold a text of the person. */
export async function eraseLetters(trx: Kysely<Tables>, seqs: readonly number[]): Promise<void> {
  for (const some of chunksOf(seqs)) await trx.deleteFrom("destination_letters").where("seq", "in", some).execute();
  await trx.updateTable("destinations").set({ last_answer: null }).where("last_answer", "is not", null).execute();
  await trx
    .updateTable("destination_letters")
    .set({ last_answer: null })
    .where("last_answer", "is not", null)
    .execute();
}
