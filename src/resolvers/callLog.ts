// Fields of a call that its record does not hold as they are.
import type { Context } from "../context.ts";
import type { CallLogRecord, TaskRecord } from "../upstream/upstream.ts";
import { nodeId } from "./nodeId.ts";

/** A call without a session id is named by a keyed digest of its row: stable while the row is. */
export function callLogId(call: CallLogRecord, { seal }: Context): string {
  if (call.sessionId !== null) return nodeId("CallLog", call.sessionId);
  return nodeId("CallLog", "", seal.digest("call log row", JSON.stringify(call)));
}

export async function taskOf({ taskId }: { taskId: string | null }, { loaders }: Context): Promise<TaskRecord | null> {
  return taskId === null ? null : loaders.task.load(taskId);
}
