// The stored digest of a submission's input. A plain SHA-256 of a task with one number lets the number be guessed, so it is replaced by
// a keyed one. Not at once: a gateway of an earlier version beside this one knows plain ones only, and would refuse the repeat of a
// request instead of answering with its outcome.
import type { Kysely } from "kysely";
import type { Signer } from "../../util/hmac.ts";
import type { Tables } from "../tables.ts";

const KEYED = "keyed ";
const ROWS_PER_STEP = 500;

export interface InputDigests {
  /** Whether a stored digest, plain or keyed, is of the input with this SHA-256. */
  isSame(stored: string, sha256: string): boolean;
  /** Replaces up to `limit` plain digests of submissions from before an instant. Returns their number. */
  keyBefore(db: Kysely<Tables>, submittedBefore: string, limit: number): Promise<number>;
  /** Replaces all plain digests. */
  keyAll(db: Kysely<Tables>): Promise<void>;
}

export function createInputDigests(signer: Pick<Signer, "digest">): InputDigests {
  const keyed = (sha256: string) => KEYED + signer.digest("input", sha256);

  async function replace(db: Kysely<Tables>, submittedBefore: string | null, limit: number): Promise<number> {
    const plain = db
      .selectFrom("submissions")
      .select(["id", "input_sha256"])
      .where("input_sha256", "not like", `${KEYED}%`);
    const old = plain.$if(submittedBefore !== null, (query) => query.where("submitted_at", "<", submittedBefore ?? ""));
    const rows = await old.limit(limit).execute();
    // One commit for all. A row may be purged or keyed by another gateway meanwhile.
    await db.transaction().execute(async (trx) => {
      for (const { id, input_sha256: sha256 } of rows) {
        const own = trx
          .updateTable("submissions")
          .set({ input_sha256: keyed(sha256) })
          .where("id", "=", id);
        await own.where("input_sha256", "=", sha256).execute();
      }
    });
    return rows.length;
  }
  return {
    isSame: (stored, sha256) => stored === sha256 || stored === keyed(sha256),
    keyBefore: replace,
    async keyAll(db) {
      while ((await replace(db, null, ROWS_PER_STEP)) === ROWS_PER_STEP);
    },
  };
}
