// Erases a phone number from submissions and proposals.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely, Transaction } from "kysely";
import type { ErasedKeys } from "../events/erasedKeys.ts";
import type { ErasureMatch } from "../events/erasureMatch.ts";
import type { Tables } from "../tables.ts";
import type { ProposalSummary } from "./submissionRow.ts";

/** An input may have 100,000 lines, which would block the event loop. */
const LINES_PER_TURN = 200;
const FORGOTTEN = "(forgotten)";

/** What was searched, and which of it matched: ids of submissions. */
export interface SearchedProposals {
  searched: Set<string>;
  matching: Set<string>;
}

/** Searches the stored inputs that were not searched before. Reads one input at a time. */
export async function findProposals(db: Kysely<Tables>, match: ErasureMatch, into: SearchedProposals): Promise<void> {
  const stored = db.selectFrom("task_proposals").select("submission_id").where("input", "is not", null);
  for (const { submission_id: id } of await stored.execute()) {
    if (into.searched.has(id)) continue;
    into.searched.add(id);
    const row = db.selectFrom("task_proposals").select("input").where("submission_id", "=", id);
    const { input } = (await row.executeTakeFirst()) ?? {};
    if (input != null && (await hasMatch(input.split("\n"), match))) into.matching.add(id);
  }
}

async function hasMatch(lines: readonly string[], { inputLine }: ErasureMatch): Promise<boolean> {
  for (const [at, line] of lines.entries()) {
    if (inputLine(line)) return true;
    if (at % LINES_PER_TURN === LINES_PER_TURN - 1) await nextTurn();
  }
  return false;
}

/** Besides the input of a proposal, submissions hold phone numbers only in texts that a viewer chose. */
export async function blankSubmissions(
  trx: Transaction<Tables>,
  erased: ErasedKeys,
  match: ErasureMatch,
): Promise<void> {
  const rows = await trx.selectFrom("submissions").select(["id", "name", "idempotency_key"]).execute();
  for (const { id, name, idempotency_key: key } of rows) {
    if (!match.text(name) && !match.text(key)) continue;
    const blank = {
      ...(match.text(name) ? { name: FORGOTTEN } : {}),
      ...(match.text(key) ? { idempotency_key: await erased.hashOf(trx, "key", key) } : {}),
    };
    await trx.updateTable("submissions").set(blank).where("id", "=", id).execute();
  }
  await blankProposals(trx, match);
}

async function blankProposals(trx: Transaction<Tables>, match: ErasureMatch): Promise<void> {
  const blank = (text: string) => (match.text(text) ? FORGOTTEN : text);
  const columns = ["submission_id", "summary", "decline_reason"] as const;
  for (const row of await trx.selectFrom("task_proposals").select(columns).execute()) {
    const { lineIds, periods, startDate, ...others } = JSON.parse(row.summary) as ProposalSummary;
    const blanked: ProposalSummary = {
      lineIds: lineIds.map(blank),
      periods: periods.map((period) => period.map(blank)),
      startDate: blank(startDate),
      ...others,
    };
    const reason = row.decline_reason === null ? null : blank(row.decline_reason);
    const summary = JSON.stringify(blanked);
    if (summary === row.summary && reason === row.decline_reason) continue;
    const change = { summary, decline_reason: reason };
    await trx.updateTable("task_proposals").set(change).where("submission_id", "=", row.submission_id).execute();
  }
}
