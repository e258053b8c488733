// Stores what the gateways have proven about the service. Proofs are settings, which all gateways of a database share.
import { sql } from "kysely";
import type { Database } from "../database.ts";
import { guarded } from "../storeError.ts";

export interface StoredProof {
  name: string;
  /** How far the behaviour is proven; at least 1. */
  size: number;
}

/** `service`: names the service and how it is asked, in letters and digits. Every member throws STORE_UNAVAILABLE if the database fails. */
export interface ProofStore {
  /** Those that end after `now`. Deletes the others, of any service. Epoch milliseconds. */
  all(service: string, now: number): Promise<StoredProof[]>;
  /** The larger of two proofs with the same name stays. They end at `until`. */
  save(service: string, proofs: readonly StoredProof[], until: number): Promise<void>;
  delete(service: string, names: readonly string[]): Promise<void>;
}

const PREFIX = "proof ";

const larger = sql<string>`case when excluded.value > settings.value then excluded.value else settings.value end`;

export function createProofStore({ db }: Pick<Database, "db">): ProofStore {
  const prefixOf = (service: string) => `${PREFIX}${service} `;
  const deleteSettings = async (names: readonly string[]) => {
    if (names.length > 0) await db.deleteFrom("settings").where("name", "in", names).execute();
  };
  return {
    all: (service, now) =>
      guarded(async () => {
        const settings = await db.selectFrom("settings").selectAll().where("name", "like", `${PREFIX}%`).execute();
        const rows = settings.map(({ name, value }) => ({ name, ...readValue(value) }));
        await deleteSettings(rows.filter(({ until }) => until <= now).map(({ name }) => name));
        const prefix = prefixOf(service);
        return rows
          .filter(({ name, until }) => until > now && name.startsWith(prefix))
          .map(({ name, size }) => ({ name: name.slice(prefix.length), size }));
      }),
    save: (service, proofs, until) =>
      guarded(async () => {
        if (proofs.length === 0) return;
        // Always in the order of names, so that two gateways cannot deadlock.
        const values = proofs
          .map(({ name, size }) => ({ name: prefixOf(service) + name, value: writeValue({ size, until }) }))
          .toSorted((a, b) => (a.name < b.name ? -1 : 1));
        await db
          .insertInto("settings")
          .values(values)
          .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: larger }))
          .execute();
      }),
    delete: (service, names) => guarded(() => deleteSettings(names.map((name) => prefixOf(service) + name))),
  };
}

interface StoredValue {
  size: number;
  until: number;
}

/** Numbers of equal length, so that values are in the order of their sizes. */
const writeValue = ({ size, until }: StoredValue) => [size, until].map((n) => String(n).padStart(16, "0")).join(" ");

function readValue(value: string): StoredValue {
  const [size = 0, until = 0] = value.split(" ").map(Number);
  return { size, until };
}
