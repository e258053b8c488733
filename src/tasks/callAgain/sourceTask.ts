// Whether a task still calls. The service repeats calls within a task (retryCount), so that calling its people again before it is over would
// call them twice.
import type { TaskRecord } from "../../upstream/upstream.ts";
import type { SubmitError } from "../submitResult.ts";

type Status = Pick<TaskRecord, "status"> | null;

const OVER: ReadonlySet<TaskRecord["status"]> = new Set(["done", "stop.operate", "stop.timeout", "stop.abnormal"]);

/** False also for a task that is not known to the service, and for a status that its document does not name. */
export const isOver = (task: Status): boolean => task !== null && OVER.has(task.status);

const PATH = ["from", "taskId"];

/** Null: its people may be called again. */
export function sourceError(task: Status): SubmitError | null {
  if (task === null)
    return { code: "INVALID_INPUT", message: "is of no task that the service has and this viewer sees", path: PATH };
  if (isOver(task)) return null;
  const message =
    "is of a task that is not over: the service may still call these people. Nothing was sent; call them again when it is done or stopped";
  return { code: "STILL_CALLING", message, path: PATH };
}
