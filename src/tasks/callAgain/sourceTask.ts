// Whether a task still calls. The service repeats calls within a task (retryCount), so that calling its people again before it is over would
// call them twice.
import { epochMsOf } from "../../format/instant.ts";
import { MINUTE_MS } from "../../util/durations.ts";
import type { TaskRecord } from "../../upstream/upstream.ts";
import type { SubmitError } from "../submitResult.ts";

type Status = Pick<TaskRecord, "status"> | null;

const STOPPED: ReadonlySet<TaskRecord["status"]> = new Set(["stop.operate", "stop.timeout", "stop.abnormal"]);
/** A call that runs when its task is stopped goes on. Longer than nearly all calls. */
const STOPPED_QUIET_MS = 15 * MINUTE_MS;

/** The task's newest entry of the log. */
export interface TaskCalls {
  task: Status;
  /** When it was received. Null: there is none. */
  lastReceivedAt: string | null;
}

/**
 * False also for a task that is not known to the service, and for a status that its document does not name. A stopped task is over some
 * minutes after its last call was told. `now`: epoch milliseconds.
 */
export function isOver({ task, lastReceivedAt }: TaskCalls, now: number): boolean {
  if (task?.status === "done") return true;
  if (task === null || !STOPPED.has(task.status)) return false;
  return lastReceivedAt === null || now - epochMsOf(lastReceivedAt) >= STOPPED_QUIET_MS;
}

const PATH = ["from", "taskId"];

/** Null: its people may be called again. */
export function sourceError(calls: TaskCalls, now: number): SubmitError | null {
  if (calls.task === null)
    return { code: "INVALID_INPUT", message: "is of no task that the service has and this viewer sees", path: PATH };
  if (isOver(calls, now)) return null;
  const message =
    "is of a task that is not over: the service may still call these people. Nothing was sent; call them again when it is done, or 15 minutes after the last call of a stopped one";
  return { code: "STILL_CALLING", message, path: PATH };
}
