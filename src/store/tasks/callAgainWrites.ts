// What happens to a submission that calls people of a task again, in the transaction that stores or approves it. A campaign is a task and
// all that came from it by calling again. One transaction after the other adds to a campaign, so that nobody is in two of its submissions.
import { sql, type Kysely, type Transaction } from "kysely";
import type { DatabaseKind } from "../database.ts";
import type { RecipientFilter } from "../projections/recipientStore.ts";
import type { Tables } from "../tables.ts";
import type { CalledAgain, SubmissionStatus } from "./submissionRow.ts";

/** What was known of a campaign when its people were chosen. */
export interface CampaignView {
  /** Whose people are called again. */
  taskId: string;
  /** The task that it all came from. */
  campaign: string;
  submissions: CampaignSubmission[];
  /** The position of the newest entry of the log. Null: it has none. */
  through: number | null;
  /** Another text after each erasure, and each addition to the never-call list. */
  removals: string;
}

export interface CampaignSubmission {
  id: string;
  status: SubmissionStatus;
  /** Null: it is not known. */
  taskId: string | null;
}

export interface CampaignGuard extends CampaignView {
  /** Whether an answered call, to this number as the log has it, may be to one of the chosen people. */
  isChosen(callee: string | null): boolean;
}

/** A submission that calls people again, as it is stored. */
export interface NewCallAgain extends CalledAgain {
  filter: RecipientFilter;
  people: string;
  guard: CampaignGuard;
}

/** Rolls the transaction back: the people have to be chosen again. */
export class CampaignChanged extends Error {}

/** Statuses of submissions of which nothing was created, and nothing will be. */
export const ENDED_UNSENT = ["REJECTED", "DECLINED", "EXPIRED"] as const satisfies readonly SubmissionStatus[];

/** The class of PostgreSQL's advisory locks of campaigns. */
const CAMPAIGN_LOCK = 7_240_004;

type Trx = Transaction<Tables>;

export async function addCallAgain(
  trx: Trx,
  kind: DatabaseKind,
  submissionId: string,
  { taskId, filter, people, leftOut, withoutVariables, guard }: NewCallAgain,
): Promise<void> {
  await trx
    .insertInto("call_again")
    .values({
      submission_id: submissionId,
      source_task_id: taskId,
      campaign: guard.campaign,
      filter: JSON.stringify(filter),
      people,
      people_left_out: JSON.stringify(leftOut),
      without_variables: withoutVariables,
    })
    .execute();
  await checkCampaign(trx, kind, guard, submissionId);
}

/** For a proposal that is approved: it has its people already, and some of them may be left out now. */
export async function updateCallAgain(
  trx: Trx,
  kind: DatabaseKind,
  submissionId: string,
  { leftOut, withoutVariables, guard }: Pick<NewCallAgain, "leftOut" | "withoutVariables" | "guard">,
): Promise<void> {
  await trx
    .updateTable("call_again")
    .set({ people_left_out: JSON.stringify(leftOut), without_variables: withoutVariables })
    .where("submission_id", "=", submissionId)
    .execute();
  await checkCampaign(trx, kind, guard, submissionId);
}

/**
 * Throws CampaignChanged if somebody may have been reached, chosen, erased or put on the never-call list since the people were chosen. Call
 * it last in the transaction: other submissions of the campaign wait for the commit.
 */
async function checkCampaign(trx: Trx, kind: DatabaseKind, guard: CampaignGuard, own: string): Promise<void> {
  if (kind === "postgres")
    await sql`select pg_advisory_xact_lock(${CAMPAIGN_LOCK}::int, hashtext(${guard.campaign}))`.execute(trx);
  const now = await readCampaign(trx, guard.taskId);
  const known = new Map(guard.submissions.map(({ id, taskId }) => [id, taskId]));
  const isKnown = ({ id, taskId }: CampaignSubmission) => id === own || (known.has(id) && known.get(id) === taskId);
  const isSame = now.campaign === guard.campaign && now.removals === guard.removals;
  if (!isSame || !now.submissions.every(isKnown) || (await isReached(trx, guard))) throw new CampaignChanged();
}

/** Whether an answered call to one of the people was added to the log. */
async function isReached(trx: Trx, guard: CampaignGuard): Promise<boolean> {
  const calls = trx
    .selectFrom("events")
    .select("callee")
    .where("task_id", "in", tasksOf(guard))
    .where("answered", "=", 1);
  const added = await calls.where("seq", ">", guard.through ?? 0).execute();
  return added.some(({ callee }) => guard.isChosen(callee));
}

/** The tasks of a campaign that are known. */
export function tasksOf({ campaign, taskId, submissions }: CampaignView): string[] {
  const created = submissions.flatMap((submission) => submission.taskId ?? []);
  return [...new Set([campaign, taskId, ...created])];
}

/** Each part is read before the log, so that none is newer than what the log shows. */
export async function readCampaign(db: Kysely<Tables>, taskId: string): Promise<CampaignView> {
  const removals = await readRemovals(db);
  const own = db.selectFrom("call_again").innerJoin("submissions", "id", "submission_id");
  const source = await own.select("campaign").where("task_id", "=", taskId).orderBy("campaign").executeTakeFirst();
  const campaign = source?.campaign ?? taskId;
  const rows = await own.select(["id", "status", "task_id"]).where("campaign", "=", campaign).execute();
  const submissions = rows.map(({ id, status, task_id }) => ({
    id,
    status: status as SubmissionStatus,
    taskId: task_id,
  }));
  const newest = await db
    .selectFrom("events")
    .select((eb) => eb.fn.max("seq").as("seq"))
    .executeTakeFirst();
  return { taskId, campaign, submissions, through: newest?.seq ?? null, removals };
}

/** The count alone would stay the same where an old entry of the audit log is purged. */
async function readRemovals(db: Kysely<Tables>): Promise<string> {
  const entries = db.selectFrom("audit").where("action", "in", ["PHONE_FORGOTTEN", "DO_NOT_CALL_ADDED"]);
  const { count, sum } = await entries
    .select((eb) => [eb.fn.countAll<number>().as("count"), sql<string>`coalesce(sum(id), 0)`.as("sum")])
    .executeTakeFirstOrThrow();
  return `${count} ${sum}`;
}
