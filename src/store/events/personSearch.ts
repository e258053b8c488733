// Searches the database for what holds a person's number.
import type { Kysely } from "kysely";
import { findProposals, type SearchedProposals } from "../tasks/eraseSubmissions.ts";
import type { Tables } from "../tables.ts";
import type { ErasureMatch } from "./erasureMatch.ts";
import { findAuditedCalls } from "./leftTraces.ts";
import { findRawDeliveries } from "./rawErasure.ts";

export interface Found {
  /** Session IDs of calls with a matching entry of the log. */
  calls: Set<string>;
  /** Ids of deliveries in quarantine. */
  deliveries: Set<number>;
  /** Positions of entries whose raw bodies match. */
  bodies: Set<number>;
  /** Matching session IDs in the audit log. */
  audited: Set<string>;
  proposals: SearchedProposals;
  /** The last position of each table that was searched. */
  through: { events: number; quarantine: number; bodies: number; audit: number };
}

const ROWS_PER_PAGE = 500;
/** Fewer, because a body may have 256 KiB. */
const BODIES_PER_PAGE = 50;

export const nothingFound = (): Found => ({
  calls: new Set(),
  deliveries: new Set(),
  bodies: new Set(),
  audited: new Set(),
  proposals: { searched: new Set(), matching: new Set() },
  through: { events: 0, quarantine: 0, bodies: 0, audit: 0 },
});

/** Adds to `found` what is newer than the search before it. */
export async function searchPerson(db: Kysely<Tables>, match: ErasureMatch, found: Found): Promise<void> {
  const { through } = found;
  through.events = await findCalls(db, through.events, match, found.calls);
  through.quarantine = await findDeliveries(db, through.quarantine, match, found.deliveries);
  await findProposals(db, match, found.proposals);
  through.bodies = await findRawDeliveries(db, through.bodies, match.delivery, found.bodies);
  through.audit = await findAuditedCalls(db, through.audit, match, found.audited);
}

/** Adds the calls of matching rows after a position to `into`. Returns the last position that was read. */
async function findCalls(db: Kysely<Tables>, after: number, match: ErasureMatch, into: Set<string>): Promise<number> {
  for (let position = after; ;) {
    const page = db.selectFrom("events").select(["seq", "session_id", "data"]).where("seq", ">", position);
    const rows = await page.orderBy("seq").limit(ROWS_PER_PAGE).execute();
    for (const { session_id, data } of rows) if (match.event(data)) into.add(session_id);
    const last = rows.at(-1);
    if (!last) return position;
    position = last.seq;
  }
}

async function findDeliveries(
  db: Kysely<Tables>,
  after: number,
  match: ErasureMatch,
  into: Set<number>,
): Promise<number> {
  for (let position = after; ;) {
    const page = db.selectFrom("quarantine").select(["id", "body"]).where("id", ">", position);
    const rows = await page.orderBy("id").limit(BODIES_PER_PAGE).execute();
    for (const { id, body } of rows) if (match.delivery(body)) into.add(id);
    const last = rows.at(-1);
    if (!last) return position;
    position = last.id;
  }
}
