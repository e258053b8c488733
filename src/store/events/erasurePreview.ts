// Counts what an erasure would take now, and changes nothing.
import type { Kysely } from "kysely";
import { chunksOf } from "../sqlHelpers.ts";
import { countMatchingSubmissions } from "../tasks/eraseSubmissions.ts";
import { countWaiting } from "../tasks/waitingProposals.ts";
import type { Tables } from "../tables.ts";
import type { ErasureMatch } from "./erasureMatch.ts";
import { findCallsWithoutEntries } from "./leftTraces.ts";
import { nothingFound, searchPerson } from "./personSearch.ts";
import { countRawDeliveries } from "./rawErasure.ts";

export interface ErasedCounts {
  /** Calls with an entry, a recording or a start that matched. */
  calls: number;
  /** Entries of the log: all revisions of those calls. */
  events: number;
  /** The bodies of those entries, and other bodies that matched. */
  rawDeliveries: number;
  quarantined: number;
  recordings: number;
  /** Submissions with the number in a text of their own, which is blanked. */
  submissions: number;
  /** Proposals that wait, which are declined. */
  proposals: number;
}

export async function previewErasure(db: Kysely<Tables>, match: ErasureMatch): Promise<ErasedCounts> {
  const found = nothingFound();
  await searchPerson(db, match, found);
  await findCallsWithoutEntries(db, match, found.calls);
  const seqs = new Set(found.bodies);
  let [events, recordings] = [0, 0];
  for (const some of chunksOf([...found.calls])) {
    const entries = await db.selectFrom("events").select("seq").where("session_id", "in", some).execute();
    for (const { seq } of entries) seqs.add(seq);
    events += entries.length;
    const recorded = db.selectFrom("recordings").select("session_id").where("session_id", "in", some);
    recordings += (await recorded.execute()).length;
  }
  return {
    calls: found.calls.size,
    events,
    rawDeliveries: await countRawDeliveries(db, seqs),
    quarantined: found.deliveries.size,
    recordings,
    submissions: await countMatchingSubmissions(db, match),
    proposals: await countWaiting(db, [...found.proposals.matching]),
  };
}
