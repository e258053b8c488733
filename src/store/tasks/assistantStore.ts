// Stores versions of assistants as the service's tasks showed them. Versions are never mixed.
import type { Database } from "../database.ts";
import type { QueryOwner } from "../scheduling/queryOwner.ts";
import { guarded } from "../storeError.ts";
import { listSeenAssistants, type SeenAssistant } from "./seenAssistants.ts";

export interface AssistantVersion {
  assistantId: string;
  versionId: string;
}

export interface StoredAssistant extends AssistantVersion {
  /** RFC 3339 in UTC with milliseconds. */
  seenAt: string;
  /** The version as it was at that time, as JSON. */
  data: string;
}

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface AssistantStore {
  /** Each version may occur once. The data that was seen last stays, in any order of calls. */
  save(assistants: readonly StoredAssistant[]): Promise<void>;
  /** The known ones of these versions. Pass at most a few hundred. */
  byVersions(versions: readonly AssistantVersion[]): Promise<StoredAssistant[]>;
  /** The version that was seen last. Null: none. */
  latest(assistantId: string): Promise<StoredAssistant | null>;
  /**
   * Up to `limit` assistants that tasks showed or accepted submissions named: those in `first` first, then the last seen ones. A
   * scan in the owner's turn.
   */
  list(queryOwner: QueryOwner, request: { first: readonly string[]; limit: number }): Promise<SeenAssistant[]>;
  /** Deletes up to `limit` versions that were last seen before an instant. Returns their number. */
  purge(seenBefore: string, limit: number): Promise<number>;
}

const columns = ["assistant_id as assistantId", "version_id as versionId", "seen_at as seenAt", "data"] as const;

export function createAssistantStore({ db, scan }: Database): AssistantStore {
  const known = () => db.selectFrom("known_assistants");
  return {
    save: (assistants) =>
      guarded(async () => {
        if (assistants.length === 0) return;
        const rows = assistants.map(({ assistantId, versionId, seenAt, data }) => ({
          assistant_id: assistantId,
          version_id: versionId,
          seen_at: seenAt,
          data,
        }));
        // Always in the same order, so that two gateways cannot deadlock.
        rows.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
        await db
          .insertInto("known_assistants")
          .values(rows)
          .onConflict((conflict) =>
            conflict
              .columns(["assistant_id", "version_id"])
              .doUpdateSet((eb) => ({ seen_at: eb.ref("excluded.seen_at"), data: eb.ref("excluded.data") }))
              .whereRef("known_assistants.seen_at", "<=", "excluded.seen_at"),
          )
          .execute();
      }),
    byVersions: (versions) =>
      guarded(async () => {
        if (versions.length === 0) return [];
        return known()
          .select(columns)
          .where((eb) =>
            eb.or(
              versions.map(({ assistantId, versionId }) =>
                eb.and([eb("assistant_id", "=", assistantId), eb("version_id", "=", versionId)]),
              ),
            ),
          )
          .execute();
      }),
    latest: (assistantId) =>
      guarded(async () => {
        const newest = known()
          .select(columns)
          .where("assistant_id", "=", assistantId)
          .orderBy("seen_at", "desc")
          .orderBy("version_id", "desc")
          .limit(1);
        return (await newest.executeTakeFirst()) ?? null;
      }),
    list: (queryOwner, request) =>
      guarded(() => scan(queryOwner, ["assistants", request], (own) => listSeenAssistants(own, request))),
    purge: (seenBefore, limit) =>
      guarded(async () => {
        const old = await known()
          .select(["assistant_id", "version_id"])
          .where("seen_at", "<", seenBefore)
          .limit(limit)
          .execute();
        let deleted = 0;
        for (const { assistant_id, version_id } of old) {
          const one = db
            .deleteFrom("known_assistants")
            .where("assistant_id", "=", assistant_id)
            .where("version_id", "=", version_id)
            // A version that was seen again meanwhile stays.
            .where("seen_at", "<", seenBefore);
          deleted += Number((await one.executeTakeFirst()).numDeletedRows);
        }
        return deleted;
      }),
  };
}

function nameOf(row: { assistant_id: string; version_id: string }): string {
  return `${row.assistant_id} ${row.version_id}`;
}
