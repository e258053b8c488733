// Reads the `settings` table: single values that all gateways of a database share.
import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

const SIGNING_KEY = "seal_key";

/** The setting's text, or null if it was never written. */
export async function readSetting(db: Kysely<Tables>, name: string): Promise<string | null> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  return row?.value ?? null;
}

/** The key that signs cursors, ids and correlation tokens. The first start creates it; every gateway then uses it. */
export async function readSigningKey(db: Kysely<Tables>): Promise<Buffer> {
  const newKey = randomBytes(32).toString("base64");
  await db
    .insertInto("settings")
    .values({ name: SIGNING_KEY, value: newKey })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const key = await readSetting(db, SIGNING_KEY);
  if (key === null) throw new Error("The settings table has no signing key.");
  return Buffer.from(key, "base64");
}
