// Authentic deliveries that could not be read, kept byte by byte: a refusal could lose a call for ever.
import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import { guarded } from "./storeError.ts";
import type { Tables } from "./tables.ts";

export interface Quarantine {
  /** On disk when it resolves; the same body is kept once. Throws STORE_UNAVAILABLE. */
  keep(delivery: { receivedAt: string; reason: string; body: Uint8Array }): Promise<void>;
  count(): Promise<number>;
}

export function createQuarantine(db: Kysely<Tables>): Quarantine {
  return {
    keep: ({ receivedAt, reason, body }) =>
      guarded(async () => {
        const body_sha256 = createHash("sha256").update(body).digest("hex");
        await db
          .insertInto("quarantine")
          .values({ received_at: receivedAt, reason, body_sha256, body })
          .onConflict((conflict) => conflict.column("body_sha256").doNothing())
          .execute();
      }),
    count: () =>
      guarded(async () => {
        const row = await db
          .selectFrom("quarantine")
          .select((eb) => eb.fn.countAll<number>().as("count"))
          .executeTakeFirstOrThrow();
        return row.count;
      }),
  };
}
