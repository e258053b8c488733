import type { Context } from "./context.ts";
import type { CreateTaskInput } from "../tasks/validateCreateTask.ts";
import type { SubmitResult } from "../tasks/submitTask.ts";

export function createTask(input: CreateTaskInput, { submitTask, viewer, inputUsed }: Context): Promise<SubmitResult> {
  return submitTask(viewer.name, input, inputUsed);
}
