// Erases a person's data: everything in the log, raw deliveries, quarantine, recordings and submissions that a matcher finds.
import type { Transaction } from "kysely";
import { chunksOf } from "../sqlHelpers.ts";
import { allTables } from "../projections/allTables.ts";
import { lockProjections, removeCalls } from "../projections/projectionTables.ts";
import { addAuditEvent, blankCalls, type Actor } from "../audit/auditStore.ts";
import type { Database } from "../database.ts";
import type { ErasureMatch } from "./erasureMatch.ts";
import { blankSubmissions } from "../tasks/eraseSubmissions.ts";
import { eraseLetters } from "../destinations/letterStore.ts";
import { eraseProposals } from "../tasks/proposalWrites.ts";
import type { InputDigests } from "../tasks/inputDigest.ts";
import { createErasedKeys, namesOfErased, type ErasedKeys } from "./erasedKeys.ts";
import { previewErasure, type ErasedCounts } from "./erasurePreview.ts";
import { eraseAssistants, findCallsWithoutEntries } from "./leftTraces.ts";
import { nothingFound, searchPerson } from "./personSearch.ts";
import { recordErasure, readHead } from "./purgeEvents.ts";
import { eraseRawDeliveries } from "./rawErasure.ts";
import { eraseRecordings, tracesOf, type RecordingTraces } from "../recordings/purgeRecordings.ts";
import { guarded } from "../storeError.ts";
import type { Tables } from "../tables.ts";

export interface Erased extends RecordingTraces, ErasedCounts {
  sessionIds: string[];
}

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface Eraser {
  /**
   * Erases in one transaction of the log, so that no matching call is appended meanwhile. Keeps a keyed hash of each erased call
   * and delivery, so that neither is accepted again, and of the number, so that no import brings its earlier calls. Declines matching proposals. Blanks the names and keys of matching
   * submissions; the keys stay used. What projections made of the calls goes, too. Keys the digests of all inputs. Deletes versions of assistants that match, and the ids of calls that
   * only a recording or the audit log still names. Calls `first` with the recordings' files before it erases anything: if that fails, or the
   * process ends, a second call finds the same data. Adds the entry of `by` to the audit log in the same transaction.
   */
  erase(match: ErasureMatch, first: (traces: RecordingTraces) => Promise<void>, by: Actor): Promise<Erased>;
  /** Counts what `erase` would take now, and changes nothing. It reads as much. */
  preview(match: ErasureMatch): Promise<ErasedCounts>;
  /** Erases recordings that a download or a reader added after their calls were erased. */
  eraseRecordings(sessionIds: readonly string[]): Promise<RecordingTraces>;
  /**
   * Removes deleted data from the files: SQLite's file is rewritten and its log emptied, PostgreSQL's tables are vacuumed. Takes as
   * long as writing the whole database.
   */
  scrub(): Promise<void>;
}

export function createEraser(database: Database, digests: Pick<InputDigests, "keyAll">): Eraser {
  const { db } = database;
  const erased = createErasedKeys();

  return {
    erase: (match, first, by) =>
      guarded(async () => {
        const found = nothingFound();
        // Most rows are read while others append, and only newer rows under the log's lock.
        await searchPerson(db, match, found);
        await findCallsWithoutEntries(db, match, found.calls);
        await first(await tracesOf(db, [...found.calls]));
        // These need no lock of the log, and a repeated call goes on with them.
        await digests.keyAll(db);
        await eraseAssistants(db, match);
        return database.append(async (trx) => {
          await searchPerson(trx, match, found);
          await erased.add(trx, "person", namesOfErased(match.number));
          const sessionIds = [...found.calls];
          const proposals = await eraseProposals(trx, [...found.proposals.matching], by);
          const submissions = await blankSubmissions(trx, erased, match);
          await eraseLines(trx, match);
          await blankCalls(trx, [...found.audited]);
          // Before the entries go, so that no row is made of them meanwhile.
          await lockProjections({ trx, kind: database.kind });
          const { seqs, ...recordings } = await eraseCalls(trx, erased, sessionIds);
          await removeCalls({ trx, kind: database.kind }, allTables, seqs);
          for (const seq of seqs) found.bodies.add(seq);
          const events = seqs.length;
          await eraseLetters(trx, [...found.bodies]);
          const rawDeliveries = await eraseRawDeliveries(trx, found.bodies);
          const quarantined = await eraseDeliveries(trx, erased, [...found.deliveries]);
          await addAuditEvent(trx, { ...by, action: "PHONE_FORGOTTEN", subject: null, count: events });
          const calls = sessionIds.length;
          return { sessionIds, calls, events, rawDeliveries, quarantined, submissions, proposals, ...recordings };
        });
      }),
    preview: (match) => guarded(() => previewErasure(db, match)),
    eraseRecordings: (sessionIds) => guarded(() => db.transaction().execute((trx) => eraseRecordings(trx, sessionIds))),
    scrub: () => guarded(() => database.scrub()),
  };
}

/** `seqs`: the positions of erased entries. */
async function eraseCalls(trx: Transaction<Tables>, erased: ErasedKeys, sessionIds: readonly string[]) {
  const last = await readHead({ db: trx });
  const seqs: number[] = [];
  for (const some of chunksOf(sessionIds)) {
    await erased.add(trx, "call", some);
    const gone = await trx.deleteFrom("events").where("session_id", "in", some).returning("seq").execute();
    for (const { seq } of gone) seqs.push(seq);
    await trx.deleteFrom("open_calls").where("session_id", "in", some).execute();
  }
  // Also if no call was in the log, because gateways cache other personal data too.
  await recordErasure(trx, last);
  return { seqs, ...(await eraseRecordings(trx, sessionIds)) };
}

async function eraseDeliveries(trx: Transaction<Tables>, erased: ErasedKeys, ids: readonly number[]) {
  let quarantined = 0;
  for (const some of chunksOf(ids)) {
    const gone = await trx.deleteFrom("quarantine").where("id", "in", some).returning("body_sha256").execute();
    await erased.add(
      trx,
      "delivery",
      gone.map(({ body_sha256 }) => body_sha256),
    );
    quarantined += gone.length;
  }
  return quarantined;
}

/** A viewer may have given a phone number as the ID of a line. */
async function eraseLines(trx: Transaction<Tables>, match: ErasureMatch): Promise<void> {
  const lines = await trx.selectFrom("known_lines").select("line_id").execute();
  const matching = lines.flatMap(({ line_id }) => (match.text(line_id) ? line_id : []));
  for (const some of chunksOf(matching)) await trx.deleteFrom("known_lines").where("line_id", "in", some).execute();
}
