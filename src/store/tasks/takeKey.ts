// Stores a new submission under its viewer's idempotency key, unless another submission has the key.
import type { Kysely } from "kysely";
import type { ErasedKeys } from "../events/erasedKeys.ts";
import type { Tables } from "../tables.ts";
import { rowOf, selectSubmissions, submissionOf, type Submission } from "./submissionRow.ts";

/**
 * Returns the submission that has the key. Null: another one had it and freed it meanwhile, so try again. Call it inside a
 * transaction, which may be rolled back.
 */
export async function takeKey(
  trx: Kysely<Tables>,
  erasedKeys: ErasedKeys,
  submission: Submission,
): Promise<"taken" | Submission | null> {
  const holderOf = (key: string) =>
    selectSubmissions(trx)
      .where("viewer", "=", submission.viewer)
      .where("idempotency_key", "=", key)
      .executeTakeFirst();
  const taken = await trx
    .insertInto("submissions")
    .values(rowOf(submission))
    .onConflict((conflict) => conflict.columns(["viewer", "idempotency_key"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  // A key with an erased phone number is stored as a hash. Look for it after the insert, which waits for a running erasure.
  const erased = await holderOf(await erasedKeys.hashOf(trx, "key", submission.idempotencyKey));
  if (taken && !erased) return "taken";
  if (taken) await trx.deleteFrom("submissions").where("id", "=", taken.id).execute();
  const holder = erased ?? (await holderOf(submission.idempotencyKey));
  return holder ? submissionOf(holder) : null;
}
