// The people of a task as the numbers of a new one: the `from` of createTask and checkTask, and what came from a task.
import { CodedError } from "../errors.ts";
import type { Submission } from "../store/tasks/submissionRow.ts";
import type { CallAgainSource } from "../tasks/callAgain/callAgainSource.ts";
import type { TaskNumberInput } from "../tasks/taskNumbers.ts";
import type { Context } from "./context.ts";
import { badInput, checkFirst, checkUpstreamId } from "./inputRules.ts";
import { recipientFilter, type GivenRecipientFilter } from "./recipients.ts";

interface GivenPeople {
  numbers?: TaskNumberInput[] | null | undefined;
  from?: { taskId: string; filter?: GivenRecipientFilter | null | undefined } | null | undefined;
}

/** Throws BAD_USER_INPUT unless the input has either numbers or people of a task, and FORBIDDEN where the viewer may not see such people. */
export function taskInput<Input extends GivenPeople>(
  { numbers, from, ...input }: Input,
  context: Context,
): Omit<Input, keyof GivenPeople> & { numbers: TaskNumberInput[]; from: CallAgainSource | null } {
  if (numbers != null && from == null) return { ...input, numbers, from: null };
  if (numbers != null || from == null) throw badInput("input must have either numbers or from, and not both.");
  return { ...input, numbers: [], from: sourceOf(from, context) };
}

function sourceOf({ taskId, filter: given }: NonNullable<GivenPeople["from"]>, context: Context): CallAgainSource {
  if (!context.viewer.scopes.has("calls:read"))
    throw new CodedError("FORBIDDEN", "from needs the scope calls:read besides those of the mutation.");
  // A viewer that does not see whole tasks is refused.
  void context.recipients;
  checkUpstreamId("from.taskId", taskId);
  const filter = recipientFilter(given);
  const { outcomes = [] } = filter;
  if (outcomes.length > 0 && outcomes.every((outcome) => outcome === "REACHED"))
    throw badInput("from.filter.outcome names REACHED alone, and nobody who was reached is called again.");
  return { taskId, filter, load: () => context.loaders.task.load(taskId) };
}

/** The newest come first. */
export async function calledAgainFrom(
  { taskId }: { taskId: string },
  first: number,
  { submissions, queryOwner, queuedRead }: Context,
): Promise<Submission[]> {
  checkFirst(first);
  const page = { after: null, limit: first, sourceTaskId: taskId };
  return queuedRead(queryOwner, ["called again", page], () => submissions.page(page));
}
