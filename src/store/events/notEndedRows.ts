// Marks entries of the log that do not show the end of their call. The column `newest` has no checksum, so that a row stays as it was written.
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** `newest` of such an entry. It is neither listed nor counted. */
export const NOT_ENDED = -1;

export async function markRows(
  db: Kysely<Tables>,
  entries: readonly { sessionId: string; revision: number }[],
): Promise<void> {
  for (const { sessionId, revision } of entries) {
    const entry = db.updateTable("events").set({ newest: NOT_ENDED }).where("session_id", "=", sessionId);
    await entry.where("revision", "=", revision).execute();
  }
}
