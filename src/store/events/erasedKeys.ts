// Recognises erased calls, deliveries, idempotency keys and people by keyed hashes. The hashes keep them from being accepted again, and do
// not reveal them.
import type { Kysely } from "kysely";
import { readPhone } from "../../format/readPhone.ts";
import { possiblePeople } from "../../format/samePerson.ts";
import { createSigner, type Signer } from "../../util/hmac.ts";
import { readSigningKey } from "../storedSettings.ts";
import type { Tables } from "../tables.ts";

/** `call`: a session id. `delivery`: the SHA-256 of a body. `key`: a submission's idempotency key. `person`: a name of a number (namesOfErased). */
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

/** All that an erased number may be sought by. Empty for a text that is no phone number. */
export const namesOfErased = (number: string): string[] =>
  namesOf(number, ({ key, code }) => [`any ${key}`, `${code ?? "none"} ${key}`]);

/** Where one of two numbers does not say its country, they count as the same: an erasure finds too much rather than too little. */
export const namesToSeek = (number: string): string[] =>
  namesOf(number, ({ key, code }) => (code === null ? [`any ${key}`] : [`none ${key}`, `${code} ${key}`]));

type Person = ReturnType<typeof possiblePeople>[number];

function namesOf(number: string, namesOfPerson: (person: Person) => string[]): string[] {
  const reading = readPhone(number);
  if (reading.kind !== "number") return [];
  // Nobody can be erased by an extension: all calls of the number go.
  const people = possiblePeople({ ...reading, extension: null });
  return [...new Set(people.flatMap(namesOfPerson))];
}
