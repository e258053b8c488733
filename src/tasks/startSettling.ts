// Settles submissions that an ended gateway left PENDING, also if nobody reads them: they become UNCONFIRMED, and subscribers are told.
import type { Logger } from "../logger.ts";
import type { SubmissionStore } from "../store/tasks/submissionStore.ts";
import { MINUTE_MS } from "../util/durations.ts";
import { startRepeating } from "../util/startRepeating.ts";
import type { SubmissionService } from "./submissionService.ts";

export interface SettlingDeps {
  submissions: Pick<SubmissionStore, "listPending">;
  submissionService: Pick<SubmissionService, "byId">;
  log: Logger;
  intervalMs?: number;
}

const BATCH = 100;

/** Every gateway does it: a submission that another one is sending stays as it is. Disposing it waits for a running step. */
export function startSettling(deps: SettlingDeps): AsyncDisposable {
  const { submissions, submissionService, log, intervalMs = MINUTE_MS } = deps;

  return startRepeating(async (signal) => {
    try {
      for (const { id } of await submissions.listPending(BATCH)) {
        if (signal.aborted) break;
        // A read settles what nobody is sending.
        await submissionService.byId(id);
      }
    } catch (err) {
      log.warn({ err }, "pending submissions could not be settled; it is tried again");
    }
    return intervalMs;
  });
}
