// Erases a phone number from submissions and proposals.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely, Transaction } from "kysely";
import type { ErasedKeys } from "../events/erasedKeys.ts";
import type { RecipientFilter } from "../projections/recipientStore.ts";
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

/**
 * Besides the input of a proposal, submissions hold phone numbers only in texts that a viewer chose. Returns the number of submissions
 * that held one.
 */
export async function blankSubmissions(
  trx: Transaction<Tables>,
  erased: ErasedKeys,
  match: ErasureMatch,
): Promise<number> {
  const { submissions, proposals } = await findTexts(trx, match);
  for (const { id, name, idempotency_key: key } of submissions) {
    const blank = {
      ...(match.text(name) ? { name: FORGOTTEN } : {}),
      ...(match.text(key) ? { idempotency_key: await erased.hashOf(trx, "key", key) } : {}),
    };
    await trx.updateTable("submissions").set(blank).where("id", "=", id).execute();
  }
  for (const { id, ...change } of proposals)
    await trx.updateTable("task_proposals").set(change).where("submission_id", "=", id).execute();
  await blankFilters(trx, match);
  return countOf({ submissions, proposals });
}

/** A viewer may have given a number as a hang-up reason. */
async function blankFilters(trx: Transaction<Tables>, match: ErasureMatch): Promise<void> {
  const rows = await trx.selectFrom("call_again").select(["submission_id", "filter"]).execute();
  for (const { submission_id: id, filter } of rows) {
    const { reasons = [], ...others } = JSON.parse(filter) as RecipientFilter;
    if (!reasons.some((reason) => reason !== null && match.text(reason))) continue;
    const blanked = reasons.map((reason) => (reason !== null && match.text(reason) ? FORGOTTEN : reason));
    await trx
      .updateTable("call_again")
      .set({ filter: JSON.stringify({ ...others, reasons: blanked }) })
      .where("submission_id", "=", id)
      .execute();
  }
}

/** How many submissions blankSubmissions would blank. */
export const countMatchingSubmissions = async (db: Kysely<Tables>, match: ErasureMatch): Promise<number> =>
  countOf(await findTexts(db, match));

interface MatchingTexts {
  submissions: { id: string; name: string; idempotency_key: string }[];
  /** Their texts without the number. */
  proposals: { id: string; summary: string; decline_reason: string | null }[];
}

const countOf = ({ submissions, proposals }: MatchingTexts) =>
  new Set([...submissions, ...proposals].map(({ id }) => id)).size;

async function findTexts(db: Kysely<Tables>, match: ErasureMatch): Promise<MatchingTexts> {
  const rows = await db.selectFrom("submissions").select(["id", "name", "idempotency_key"]).execute();
  const columns = ["submission_id", "summary", "decline_reason"] as const;
  const proposals = await db.selectFrom("task_proposals").select(columns).execute();
  return {
    submissions: rows.filter(({ name, idempotency_key }) => match.text(name) || match.text(idempotency_key)),
    proposals: proposals.flatMap(({ submission_id: id, ...texts }) => {
      const blanked = blankedTexts(texts, match);
      const isSame = blanked.summary === texts.summary && blanked.decline_reason === texts.decline_reason;
      return isSame ? [] : { id, ...blanked };
    }),
  };
}

function blankedTexts(texts: { summary: string; decline_reason: string | null }, match: ErasureMatch): typeof texts {
  const blank = (text: string) => (match.text(text) ? FORGOTTEN : text);
  const { lineIds, periods, startDate, ...others } = JSON.parse(texts.summary) as ProposalSummary;
  const blanked: ProposalSummary = {
    lineIds: lineIds.map(blank),
    periods: periods.map((period) => period.map(blank)),
    startDate: blank(startDate),
    ...others,
  };
  const { decline_reason: reason } = texts;
  return { summary: JSON.stringify(blanked), decline_reason: reason === null ? null : blank(reason) };
}
