// What happens to a submission that calls people of a task again, in the transaction that stores or approves it. A campaign is a task and
// all that came from it by calling again. One transaction after the other adds to campaigns, so that nobody is in two submissions of one.
import { sql, type Kysely, type Transaction } from "kysely";
import type { DatabaseKind } from "../database.ts";
import type { RecipientFilter } from "../projections/recipientStore.ts";
import type { Tables } from "../tables.ts";
import { openStatuses, type CalledAgain, type SubmissionStatus } from "./submissionRow.ts";

/** What was known of a campaign when its people were chosen. */
export interface CampaignView extends CampaignSource {
  /** Its tasks that are known. */
  tasks: string[];
  /** A name that its submissions have in common. It may have several, where tasks became known late. */
  campaign: string;
  /** Its submissions, and all others whose task may exist and is not known: it may be a task of this campaign. */
  submissions: CampaignSubmission[];
  /** The position of the newest entry of the log. Null: it has none. */
  through: number | null;
  /** Another text after each erasure, and each addition to the never-call list. */
  removals: string;
}

export interface CampaignSource {
  /** Whose people are called again. */
  taskId: string;
  /** The submission that its calls name. Null: none, or nothing was looked for. */
  createdBy: string | null;
}

export interface CampaignSubmission {
  id: string;
  status: SubmissionStatus;
  /** Null: it is not known. */
  taskId: string | null;
}

export interface CampaignGuard extends CampaignView {
  /** Whether an answered call may be to one of the chosen people, so that another choice would leave somebody out. */
  isChosen(call: AnsweredCall): boolean;
}

/** As the log has it. */
export interface AnsweredCall {
  taskId: string;
  callee: string | null;
  /** The service's ID of the number in the task. */
  taskItemId: string | null;
}

/** A submission that calls people again, as it is stored. */
export interface NewCallAgain extends CalledAgain {
  filter: RecipientFilter;
  people: string;
  guard: CampaignGuard;
}

/** What an approval changes. */
export type ChangedCallAgain = Pick<NewCallAgain, "leftOut" | "withoutVariables" | "people" | "guard">;

/** Rolls the transaction back: the people have to be chosen again. */
export class CampaignChanged extends Error {}

/** Statuses of submissions of which nothing was created, and nothing will be. */
export const ENDED_UNSENT = ["REJECTED", "DECLINED", "EXPIRED"] as const satisfies readonly SubmissionStatus[];

/** PostgreSQL's advisory lock of campaigns. */
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
  { leftOut, withoutVariables, people, guard }: ChangedCallAgain,
): Promise<void> {
  await trx
    .updateTable("call_again")
    .set({ people, people_left_out: JSON.stringify(leftOut), without_variables: withoutVariables })
    .where("submission_id", "=", submissionId)
    .execute();
  await checkCampaign(trx, kind, guard, submissionId);
}

/**
 * Throws CampaignChanged if somebody may have been reached, chosen, erased or put on the never-call list since the people were chosen. Call
 * it last in the transaction: other submissions that call people again wait for the commit.
 */
async function checkCampaign(trx: Trx, kind: DatabaseKind, guard: CampaignGuard, own: string): Promise<void> {
  // One lock for all, because campaigns may turn out to be one. Such submissions are rare.
  if (kind === "postgres") await sql`select pg_advisory_xact_lock(${CAMPAIGN_LOCK}::int, 0)`.execute(trx);
  const now = await readCampaign(trx, guard);
  const known = new Map(guard.submissions.map(({ id, taskId }) => [id, taskId]));
  const isKnown = ({ id, taskId }: CampaignSubmission) => id === own || (known.has(id) && known.get(id) === taskId);
  const isSame = now.removals === guard.removals && now.submissions.every(isKnown);
  if (!isSame || (await isReached(trx, guard))) throw new CampaignChanged();
}

/** Whether an answered call to one of the people was added to the log. */
async function isReached(trx: Trx, guard: CampaignGuard): Promise<boolean> {
  const calls = trx
    .selectFrom("events")
    .select(["task_id", "data"])
    .where("task_id", "in", guard.tasks)
    .where("answered", "=", 1);
  const added = await calls.where("seq", ">", guard.through ?? 0).execute();
  return added.some(({ task_id: taskId, data }) => {
    // The column of numbers has none of their extensions, behind which is another person.
    const { callee = null, taskItemId = null } = JSON.parse(data) as Partial<Omit<AnsweredCall, "taskId">>;
    return taskId !== null && guard.isChosen({ taskId, callee, taskItemId });
  });
}

/** Each part is read before the log, so that none is newer than what the log shows. */
export async function readCampaign(db: Kysely<Tables>, { taskId, createdBy }: CampaignSource): Promise<CampaignView> {
  const removals = await readRemovals(db);
  const links = await readLinks(db);
  const rows = links.map((link) => (link.id === createdBy ? { ...link, taskId } : link));
  const newest = await db
    .selectFrom("events")
    .select((eb) => eb.fn.max("seq").as("seq"))
    .executeTakeFirst();
  const { tasks, own } = joinCampaign(indexLinks(rows), taskId);
  const others = rows.filter((row) => !own.has(row) && row.taskId === null && OPEN.has(row.status));
  const names = [...own].map(({ campaign }) => campaign);
  return {
    taskId,
    createdBy,
    tasks: [...tasks],
    campaign: names.toSorted()[0] ?? taskId,
    submissions: [...own, ...others].map(({ id, status, taskId: created }) => ({ id, status, taskId: created })),
    through: newest?.seq ?? null,
    removals,
  };
}

const OPEN: ReadonlySet<SubmissionStatus> = new Set(openStatuses);

/** A submission that calls people again joins its source, the task that was created, and the name that was stored when less was known. */
interface Link extends CampaignSubmission {
  source: string;
  campaign: string;
}

/** All in one statement, so that a task that becomes known meanwhile is not missed. There are few such submissions. */
export async function readLinks(db: Kysely<Tables>): Promise<Link[]> {
  const joined = db.selectFrom("call_again").innerJoin("submissions", "id", "submission_id");
  const rows = await joined.select(["id", "status", "task_id", "source_task_id", "campaign"]).execute();
  return rows.map(({ id, status, task_id, source_task_id, campaign }) => ({
    id,
    status: status as SubmissionStatus,
    taskId: task_id,
    source: source_task_id,
    campaign,
  }));
}

/** The submissions that each task leads to. */
export function indexLinks(links: readonly Link[]): Map<string, Link[]> {
  const byTask = new Map<string, Link[]>();
  for (const link of links) for (const task of tasksOf(link)) byTask.getOrInsertComputed(task, () => []).push(link);
  return byTask;
}

const tasksOf = ({ source, campaign, taskId }: Link): string[] =>
  taskId === null ? [source, campaign] : [source, campaign, taskId];

/** The campaign of a task: every submission that it leads to, and the tasks of these. */
export function joinCampaign(
  byTask: ReadonlyMap<string, Link[]>,
  taskId: string,
): { tasks: Set<string>; own: Set<Link> } {
  const tasks = new Set([taskId]);
  const own = new Set<Link>();
  // A set goes on with what is added meanwhile.
  for (const task of tasks)
    for (const link of byTask.get(task) ?? []) {
      own.add(link);
      for (const next of tasksOf(link)) tasks.add(next);
    }
  return { tasks, own };
}

/** The count alone would stay the same where an old entry of the audit log is purged. */
async function readRemovals(db: Kysely<Tables>): Promise<string> {
  const entries = db.selectFrom("audit").where("action", "in", ["PHONE_FORGOTTEN", "DO_NOT_CALL_ADDED"]);
  const { count, sum } = await entries
    .select((eb) => [eb.fn.countAll<number>().as("count"), sql<string>`coalesce(sum(id), 0)`.as("sum")])
    .executeTakeFirstOrThrow();
  return `${count} ${sum}`;
}
