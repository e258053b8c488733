// Tells which tasks a viewer created, for viewers with `access.submittedBy`. The answers come from the submissions in the store,
// so every gateway gives the same ones. Reads that wait at the same time are one query, however many subscribers ask.
import { createBatchedRead } from "../events/batchedRead.ts";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import { isPositiveId } from "../format/fieldParsers.ts";
import type { SubmissionStore } from "../store/tasks/submissionStore.ts";
import type { SubmittedTaskStore } from "../store/tasks/submittedTaskStore.ts";
import type { Signal } from "../util/signal.ts";
import type { CorrelationTokens } from "./correlationToken.ts";

/** Every member throws STORE_UNAVAILABLE if the database fails. */
export interface SubmittedTasks {
  /** Whether the viewer created the task. Nothing is cached. */
  isOf(viewer: string, taskId: string): Promise<boolean>;
  /**
   * The same for the task of an event. A correlation token in the event resolves its submission first, as the correlator does a
   * moment later: otherwise a subscriber would miss the event that tells the task.
   */
  isEventOf(viewer: string, event: Pick<CallEndedEvent, "taskId" | "extra">): Promise<boolean>;
  /** The IDs of the viewer's tasks, at most `limit`. */
  idsOf(viewer: string, limit: number): Promise<string[]>;
}

export interface SubmittedTasksDeps {
  store: SubmittedTaskStore;
  submissions: Pick<SubmissionStore, "resolve">;
  tokens: Pick<CorrelationTokens, "submissionIdOf">;
  /** Notified when a submission was resolved here. */
  changes: Signal;
}

export function createSubmittedTasks({ store, submissions, tokens, changes }: SubmittedTasksDeps): SubmittedTasks {
  const readSubmitters = createBatchedRead(async (taskIds: readonly string[]) => {
    const byTask = Map.groupBy(await store.submittersOf(taskIds), ({ taskId }) => taskId);
    return new Map([...byTask].map(([taskId, rows]) => [taskId, new Set(rows.map(({ viewer }) => viewer))]));
  });

  /** A key is a submission and its task. */
  const resolve = createBatchedRead(async (keys: readonly string[]) => {
    for (const key of keys) {
      const [submissionId, taskId] = JSON.parse(key) as [string, string];
      if ((await submissions.resolve(submissionId, taskId)) === "resolved") changes.notify();
    }
    return new Map<string, null>();
  });

  async function isOf(viewer: string, taskId: string): Promise<boolean> {
    return (await readSubmitters([taskId])).get(taskId)?.has(viewer) ?? false;
  }

  return {
    isOf,
    async isEventOf(viewer, { taskId, extra }) {
      if (taskId === null || !isPositiveId(taskId)) return false;
      if (await isOf(viewer, taskId)) return true;
      const submissionId = tokens.submissionIdOf(extra);
      if (submissionId === null) return false;
      await resolve([JSON.stringify([submissionId, taskId])]);
      return isOf(viewer, taskId);
    },
    idsOf: (viewer, limit) => store.tasksOf(viewer, limit),
  };
}
