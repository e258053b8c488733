// Stores the IDs of outgoing lines that tasks and submissions showed. Many gateways write the same lines, so a write never loses
// newer values.
import { sql } from "kysely";
import type { Database } from "../database.ts";
import { guarded } from "../storeError.ts";

export interface SeenLine {
  lineId: string;
  /** When a task showed it last, or a submission with it was accepted. RFC 3339 in UTC with milliseconds. */
  seenAt: string;
  fromTask: boolean;
  fromSubmission: boolean;
}

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface LineStore {
  /** Each line may occur once. The latest instant stays, and both origins add up, in any order of calls. */
  save(lines: readonly SeenLine[]): Promise<void>;
  /** The lines that were seen last, newest first; of equal times the greater ID as text. */
  newest(limit: number): Promise<SeenLine[]>;
  /** Those of these lines that were seen, in no order. */
  byIds(lineIds: readonly string[]): Promise<SeenLine[]>;
  /** Deletes up to `limit` lines that were last seen before an instant. Returns their number. */
  purge(seenBefore: string, limit: number): Promise<number>;
}

export function createLineStore({ db }: Database): LineStore {
  const known = () => db.selectFrom("known_lines").selectAll();
  return {
    save: (lines) =>
      guarded(async () => {
        if (lines.length === 0) return;
        // Always in the order of ids, so that two gateways cannot deadlock.
        const rows = lines.map(rowOf).toSorted((a, b) => (a.line_id < b.line_id ? -1 : 1));
        await db
          .insertInto("known_lines")
          .values(rows)
          .onConflict((conflict) =>
            conflict.column("line_id").doUpdateSet({
              seen_at: greaterOfBoth<string>("seen_at"),
              from_task: greaterOfBoth<number>("from_task"),
              from_submission: greaterOfBoth<number>("from_submission"),
            }),
          )
          .execute();
      }),
    newest: (limit) =>
      guarded(async () => {
        const newest = known().orderBy("seen_at", "desc").orderBy("line_id", "desc").limit(limit);
        return (await newest.execute()).map(lineOf);
      }),
    byIds: (lineIds) =>
      guarded(async () => {
        if (lineIds.length === 0) return [];
        return (await known().where("line_id", "in", lineIds).execute()).map(lineOf);
      }),
    purge: (seenBefore, limit) =>
      guarded(async () => {
        const old = db.selectFrom("known_lines").select("line_id").where("seen_at", "<", seenBefore).limit(limit);
        const gone = db.deleteFrom("known_lines").where("line_id", "in", old).where("seen_at", "<", seenBefore);
        return Number((await gone.executeTakeFirst()).numDeletedRows);
      }),
  };
}

/** The greater of the stored value and the new one. */
function greaterOfBoth<T>(column: string) {
  const [stored, given] = [sql.ref(`known_lines.${column}`), sql.ref(`excluded.${column}`)];
  return sql<T>`case when ${given} > ${stored} then ${given} else ${stored} end`;
}

function rowOf({ lineId, seenAt, fromTask, fromSubmission }: SeenLine) {
  return { line_id: lineId, seen_at: seenAt, from_task: Number(fromTask), from_submission: Number(fromSubmission) };
}

function lineOf(row: ReturnType<typeof rowOf>): SeenLine {
  return {
    lineId: row.line_id,
    seenAt: row.seen_at,
    fromTask: row.from_task === 1,
    fromSubmission: row.from_submission === 1,
  };
}
