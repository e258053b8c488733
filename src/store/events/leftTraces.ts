// Finds what holds a number outside of the log: calls whose entries retention has deleted, and assistants.
import type { Kysely } from "kysely";
import { callActions } from "../audit/auditStore.ts";
import type { Tables } from "../tables.ts";
import type { ErasureMatch } from "./erasureMatch.ts";

const ROWS_PER_PAGE = 500;
/** Fewer, because an assistant may have long texts. */
const ASSISTANTS_PER_PAGE = 50;

/** Adds the calls of matching recordings and open calls to `into`: each may outlive the entries of its call. */
export async function findCallsWithoutEntries(
  db: Kysely<Tables>,
  match: ErasureMatch,
  into: Set<string>,
): Promise<void> {
  for (let after = ""; ;) {
    const page = db.selectFrom("recordings").select(["session_id", "url"]).where("session_id", ">", after);
    const rows = await page.orderBy("session_id").limit(ROWS_PER_PAGE).execute();
    for (const { session_id, url } of rows)
      if (match.text(session_id) || (url !== null && match.text(url))) into.add(session_id);
    const last = rows.at(-1);
    if (!last) break;
    after = last.session_id;
  }
  for (const { session_id } of await db.selectFrom("open_calls").select("session_id").execute())
    if (match.text(session_id)) into.add(session_id);
}

/** Adds the matching session IDs of entries in the audit log to `into`. Returns the last entry that was read. */
export async function findAuditedCalls(
  db: Kysely<Tables>,
  after: number,
  match: ErasureMatch,
  into: Set<string>,
): Promise<number> {
  for (let position = after; ;) {
    const page = db.selectFrom("audit").select(["id", "subject"]).where("id", ">", position);
    const ofCalls = page.where("action", "in", callActions).where("subject", "is not", null);
    const rows = await ofCalls.orderBy("id").limit(ROWS_PER_PAGE).execute();
    for (const { subject } of rows) if (subject !== null && match.text(subject)) into.add(subject);
    const last = rows.at(-1);
    if (!last) return position;
    position = last.id;
  }
}

/** Deletes the versions of assistants with the number in a text. A task shows them again, if the service still has them. */
export async function eraseAssistants(db: Kysely<Tables>, match: ErasureMatch): Promise<void> {
  for (let after = { assistant_id: "", version_id: "" }; ;) {
    const page = db.selectFrom("known_assistants").select(["assistant_id", "version_id", "data"]);
    const rest = page.where((eb) =>
      eb(eb.refTuple("assistant_id", "version_id"), ">", eb.tuple(after.assistant_id, after.version_id)),
    );
    const rows = await rest.orderBy("assistant_id").orderBy("version_id").limit(ASSISTANTS_PER_PAGE).execute();
    for (const { assistant_id, version_id, data } of rows) {
      if (!match.inputLine(data)) continue;
      const version = db.deleteFrom("known_assistants").where("assistant_id", "=", assistant_id);
      await version.where("version_id", "=", version_id).execute();
    }
    const last = rows.at(-1);
    if (!last) break;
    after = last;
  }
}
