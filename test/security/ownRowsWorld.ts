// The rows of the tests of viewers with access to some of them, and the rule that says which.
import { callEndedEvent } from "../support/events.ts";
import type { TestSandbox } from "../support/sandbox.ts";

export interface Access {
  taskIds?: string[];
  assistantIds?: string[];
}
export interface Row {
  sessionId: string;
  taskId: string | null;
  assistants: { assistantId: string }[];
}

export const TASKS = ["9001", "9002", "9003"];
type Call = [sessionId: string, taskId: string | null, assistants: string[]];

export const isOf = (access: Access, taskId: string | null, assistants: readonly string[]) =>
  (!access.taskIds || (taskId !== null && access.taskIds.includes(taskId))) &&
  (!access.assistantIds || assistants.some((id) => access.assistantIds?.includes(id)));
export const sees = (access: Access, { taskId, assistants }: Row) =>
  isOf(
    access,
    taskId,
    assistants.map(({ assistantId }) => assistantId),
  );

export function event(...[sessionId, taskId, assistants]: Call) {
  return callEndedEvent({
    session_id: sessionId,
    task_id: Number(taskId ?? 0),
    direction: taskId === null ? "inbound" : "outbound",
    assistant_infos: assistants.map((id) => ({ assistant_id: Number(id), assistant_vid: 1 })),
  });
}

/** Tasks and calls of two assistants in the service, and all viewers that see some of them. */
export async function seedRows(sandbox: TestSandbox) {
  const state = await sandbox.control<{ assistants: { id: string }[] }>("GET", "");
  const [A, B] = state.assistants.map(({ id }) => id) as [string, string];
  const calls: Call[] = [
    ["a1", "9001", [A]],
    ["b1", "9001", [B]],
    ["a2", "9002", [A]],
    ["ab2", "9002", [A, B]],
    ["b3", "9003", [B]],
    ["inbound", null, [A]],
  ];
  await sandbox.control("POST", "seed", {
    tasks: TASKS.map((id) => ({ id, assistantId: id === "9001" ? A : B, name: `Task ${id}` })),
    calls: calls.map(([sessionId, taskId, assistants]) => ({
      sessionId,
      ...(taskId === null ? { direction: "inbound" } : { taskId }),
      startAt: "2020-01-02 10:00:00",
      assistant: assistants.map((id) => ({ id, vid: 1 })),
    })),
  });
  const viewers: Record<string, Access> = {};
  for (const taskIds of [undefined, ["9001"], ["9001", "9002"], ["9999"]]) {
    for (const assistantIds of [undefined, [A], [B]]) {
      if (taskIds ?? assistantIds)
        viewers[`${taskIds?.join("_") ?? "all"}-${assistantIds?.join("_") ?? "all"}`] = {
          ...(taskIds && { taskIds }),
          ...(assistantIds && { assistantIds }),
        };
    }
  }
  return { A, B, calls, viewers };
}
