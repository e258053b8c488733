// Knows what was erased for a person's sake by keyed hashes, so that it does not come back and yet cannot be read from here.
import type { Kysely } from "kysely";
import { createSigner, type Signer } from "../../util/hmac.ts";
import { readSigningKey } from "../storedSettings.ts";
import type { Tables } from "../tables.ts";

/** `call`: by its session id; `delivery`: by the SHA-256 of its body; `key`: a submission's idempotency key. */
export type ErasedKind = "call" | "delivery" | "key";

/** `db` may be a transaction: what it sees is judged. */
export interface ErasedKeys {
  hashOf(db: Kysely<Tables>, kind: ErasedKind, name: string): Promise<string>;
  /** Those of the names that were erased. */
  findErased(db: Kysely<Tables>, kind: ErasedKind, names: readonly string[]): Promise<Set<string>>;
  add(db: Kysely<Tables>, kind: ErasedKind, names: readonly string[]): Promise<void>;
}

export function createErasedKeys(): ErasedKeys {
  let seal: Signer | null = null;

  async function marksOf(db: Kysely<Tables>, kind: ErasedKind, names: readonly string[]): Promise<string[]> {
    const known = (seal ??= createSigner(await readSigningKey(db)));
    return names.map((name) => known.digest(`forgotten ${kind}`, name));
  }
  /** Mostly nothing was, and then no mark need be made. */
  async function isAny(db: Kysely<Tables>): Promise<boolean> {
    return (await db.selectFrom("forgotten").select("mark").limit(1).executeTakeFirst()) !== undefined;
  }
  return {
    hashOf: async (db, kind, name) => (await marksOf(db, kind, [name]))[0] ?? "",
    async findErased(db, kind, names) {
      if (names.length === 0 || !(await isAny(db))) return new Set();
      const marks = await marksOf(db, kind, names);
      const rows = await db.selectFrom("forgotten").select("mark").where("mark", "in", marks).execute();
      const found = new Set(rows.map(({ mark }) => mark));
      return new Set(names.filter((_, at) => found.has(marks[at] ?? "")));
    },
    async add(db, kind, names) {
      if (names.length === 0) return;
      const values = (await marksOf(db, kind, names)).map((mark) => ({ mark }));
      await db
        .insertInto("forgotten")
        .values(values)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}
