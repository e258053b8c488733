// What createTask and checkTask take in the place of numbers.
import type { RecipientFilter } from "../../store/projections/recipientStore.ts";
import type { TaskRecord } from "../../upstream/upstream.ts";

/** In the place of numbers: people of a task who were not reached. */
export interface CallAgainSource {
  taskId: string;
  filter: RecipientFilter;
  /** The task as the viewer sees it. Null: it sees none. */
  load: () => Promise<Pick<TaskRecord, "status"> | null>;
}
