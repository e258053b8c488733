// Reads the recipients of tasks: people who were called, as the log shows them.
import type { RecipientStore } from "../store/projections/recipientStore.ts";
import { RECIPIENTS } from "./recipientProjection.ts";
import type { Projections } from "./startProjections.ts";

export interface RecipientService extends RecipientStore {
  /** Whether the recipients show the log up to the cursor, at the latest after `withinMs`. Throws CURSOR_INVALID and STORE_UNAVAILABLE. */
  waitFor(cursor: string, withinMs: number): Promise<boolean>;
  /** The same for an event that was just told. It does not wait while the last such wait was in vain. */
  shows(cursor: string): Promise<boolean>;
}

export function createRecipientService(
  store: RecipientStore,
  projections: Pick<Projections, "waitFor" | "shows">,
): RecipientService {
  return {
    ...store,
    waitFor: (cursor, ms) => projections.waitFor(RECIPIENTS, cursor, ms),
    shows: (cursor) => projections.shows(RECIPIENTS, cursor),
  };
}
