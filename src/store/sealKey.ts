// The key that cursors, ids and marks are sealed with: made at the first start, and kept in the database for every gateway.
import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

export async function readSealKey(db: Kysely<Tables>): Promise<Buffer> {
  const fresh = randomBytes(32).toString("base64");
  await db
    .insertInto("settings")
    .values({ name: "seal_key", value: fresh })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db.selectFrom("settings").select("value").where("name", "=", "seal_key").executeTakeFirstOrThrow();
  return Buffer.from(row.value, "base64");
}
