// Reads what submissions call people of a task again, and whom they call.
import type { Database } from "../database.ts";
import type { RecipientFilter } from "../projections/recipientStore.ts";
import { guarded } from "../storeError.ts";
import { readCampaign, type CampaignSource, type CampaignView } from "./callAgainWrites.ts";

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface CallAgainStore {
  /** What is known of the campaign of a task. The log is at least as new as the other parts. */
  campaign(source: CampaignSource): Promise<CampaignView>;
  /** When the newest entry of the log about a task was received. Null: it has none. */
  lastReceivedAt(taskId: string): Promise<string | null>;
  /** The people of a submission, as they were stored. Empty: it is gone. */
  peopleOf(submissionId: string): Promise<string>;
  /** What a submission came from. Null: its numbers were in the input. */
  sourceOf(submissionId: string): Promise<{ taskId: string; filter: RecipientFilter } | null>;
}

export function createCallAgainStore({ db }: Pick<Database, "db">): CallAgainStore {
  const rows = (submissionId: string) => db.selectFrom("call_again").where("submission_id", "=", submissionId);
  return {
    campaign: (source) => guarded(() => readCampaign(db, source)),
    lastReceivedAt: (taskId) =>
      guarded(async () => {
        const own = db.selectFrom("events").select("received_at").where("task_id", "=", taskId);
        return (await own.orderBy("seq", "desc").limit(1).executeTakeFirst())?.received_at ?? null;
      }),
    peopleOf: (submissionId) =>
      guarded(async () => (await rows(submissionId).select("people").executeTakeFirst())?.people ?? ""),
    sourceOf: (submissionId) =>
      guarded(async () => {
        const row = await rows(submissionId).select(["source_task_id", "filter"]).executeTakeFirst();
        return row ? { taskId: row.source_task_id, filter: JSON.parse(row.filter) as RecipientFilter } : null;
      }),
  };
}
