// Recognises erased calls, deliveries, idempotency keys and people by keyed hashes. The hashes keep them from being accepted again, and do
// not reveal them.
import type { Kysely } from "kysely";
import { createSigner, type Signer } from "../../util/hmac.ts";
import { readSigningKey } from "../storedSettings.ts";
import type { Tables } from "../tables.ts";

/** `call`: a session id. `delivery`: the SHA-256 of a body. `key`: a submission's idempotency key. `person`: see erasedPeople.ts. */
export type ErasedKind = "call" | "delivery" | "key" | "person";

/** `db` may be a transaction. */
export interface ErasedKeys {
  hashOf(db: Kysely<Tables>, kind: ErasedKind, name: string): Promise<string>;
  /** Returns the names that were erased. */
  findErased(db: Kysely<Tables>, kind: ErasedKind, names: readonly string[]): Promise<Set<string>>;
  add(db: Kysely<Tables>, kind: ErasedKind, names: readonly string[]): Promise<void>;
}

export function createErasedKeys(): ErasedKeys {
  let signer: Signer | null = null;

  async function hashesOf(db: Kysely<Tables>, kind: ErasedKind, names: readonly string[]): Promise<string[]> {
    const known = (signer ??= createSigner(await readSigningKey(db)));
    return names.map((name) => known.digest(`forgotten ${kind}`, name));
  }
  /** Usually nothing was ever erased, and then no hash is needed. */
  async function hasAny(db: Kysely<Tables>): Promise<boolean> {
    return (await db.selectFrom("forgotten").select("mark").limit(1).executeTakeFirst()) !== undefined;
  }
  return {
    hashOf: async (db, kind, name) => (await hashesOf(db, kind, [name]))[0] ?? "",
    async findErased(db, kind, names) {
      if (names.length === 0 || !(await hasAny(db))) return new Set();
      const hashes = await hashesOf(db, kind, names);
      const rows = await db.selectFrom("forgotten").select("mark").where("mark", "in", hashes).execute();
      const found = new Set(rows.map(({ mark }) => mark));
      return new Set(names.filter((_, at) => found.has(hashes[at] ?? "")));
    },
    async add(db, kind, names) {
      if (names.length === 0) return;
      const values = (await hashesOf(db, kind, names)).map((mark) => ({ mark }));
      await db
        .insertInto("forgotten")
        .values(values)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}
