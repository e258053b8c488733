// The never-call list: numbers that no task may call, as keyed digests of 53 bits. Numbers themselves are not stored.
import { sql } from "kysely";
import { createSigner } from "../../util/hmac.ts";
import { addAuditEvent, type Actor } from "../audit/auditStore.ts";
import type { Database } from "../database.ts";
import { chunksOf, jsonRows } from "../sqlHelpers.ts";
import { guarded } from "../storeError.ts";

/** Digests are distinct. The methods that ask the database throw STORE_UNAVAILABLE if it fails. */
export interface DoNotCallStore {
  /** The digest of a key of format/phoneKeys.ts. Takes microseconds, so digests of a long list are made in time slices. */
  digestOf(key: string): number;
  /** Adds digests and an entry to the audit log, in one transaction. Returns how many were not in the list. */
  add(digests: readonly number[], by: Actor): Promise<number>;
  /** Removes digests likewise. Returns how many were in the list. */
  remove(digests: readonly number[], by: Actor): Promise<number>;
  count(): Promise<number>;
  hasAny(): Promise<boolean>;
  /** Returns those that are in the list. Give it at most 1,000. */
  find(digests: readonly number[]): Promise<number[]>;
}

export function createDoNotCallStore({ db, kind }: Database, signingKey: Buffer): DoNotCallStore {
  const signer = createSigner(signingKey);

  /** The first 53 bits, which a JavaScript number holds exactly. */
  function digestOf(key: string): number {
    const digest = Buffer.from(signer.digest("do not call", key), "base64url");
    return digest.readUIntBE(0, 6) * 32 + (digest.readUInt8(6) >> 3);
  }
  const asked = (digests: readonly number[]) =>
    jsonRows(
      kind,
      "asked",
      { digest: "bigint" },
      digests.map((digest) => ({ digest })),
    );
  const isAsked = (digests: readonly number[]) => sql<boolean>`digest in (select asked.digest from ${asked(digests)})`;

  /** Runs a statement for each part of the digests, and adds an entry to the audit log. Returns the number of changed rows. */
  async function change(all: readonly number[], by: Actor, action: "DO_NOT_CALL_ADDED" | "DO_NOT_CALL_REMOVED") {
    return db.transaction().execute(async (trx) => {
      let changed = 0;
      for (const digests of chunksOf(all)) {
        const { numAffectedRows = 0n } = await statements[action](digests).execute(trx);
        changed += Number(numAffectedRows);
      }
      await addAuditEvent(trx, { ...by, action, subject: null, count: changed });
      return changed;
    });
  }
  const statements = {
    DO_NOT_CALL_ADDED: (digests: readonly number[]) =>
      // SQLite needs `where true` to tell the conflict clause from a join.
      sql`insert into do_not_call (digest) select asked.digest from ${asked(digests)} where true
        on conflict do nothing`,
    DO_NOT_CALL_REMOVED: (digests: readonly number[]) => sql`delete from do_not_call where ${isAsked(digests)}`,
  };

  return {
    digestOf,
    add: (digests, by) => guarded(() => change(digests, by, "DO_NOT_CALL_ADDED")),
    remove: (digests, by) => guarded(() => change(digests, by, "DO_NOT_CALL_REMOVED")),
    count: () =>
      guarded(async () => {
        const { count } = await db
          .selectFrom("do_not_call")
          .select((eb) => eb.fn.countAll<number>().as("count"))
          .executeTakeFirstOrThrow();
        return count;
      }),
    hasAny: () =>
      guarded(async () => {
        const first = db
          .selectFrom("do_not_call")
          .select(sql<number>`1`.as("one"))
          .limit(1);
        return (await first.executeTakeFirst()) !== undefined;
      }),
    find: (digests) =>
      guarded(async () => {
        const listed = await db.selectFrom("do_not_call").select("digest").where(isAsked(digests)).execute();
        return listed.map(({ digest }) => digest);
      }),
  };
}
