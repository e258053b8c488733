// Creates a task once: the key is stored before the first request, and every repetition sends the same key.
import type { Payload } from "../http/httpTransport.ts";
import { retrying } from "../http/retrying.ts";
import { SwitchboardError } from "../switchboardError.ts";
import { takeTaskKey } from "./taskKeys.ts";
import type { CreateTaskResult, KeyStore, TaskInput } from "../types.ts";

/** For a manifest of trusted documents. */
export const createTaskDocument = `mutation CreateTask($input: CreateTaskInput!) {
  createTask(input: $input) {
    submission { id idempotencyKey status name assistantId numberCount submittedAt taskId }
    replayed
    errors { code message path }
  }
}`;

export interface CreateTaskDeps {
  name: string | undefined;
  send: (payload: Payload) => Promise<unknown>;
  random: () => number;
  signal: AbortSignal;
  keyStore: KeyStore;
}

type Result = Omit<CreateTaskResult, "idempotencyKey">;

export async function createTask(
  input: TaskInput,
  { name, keyStore, send, signal, random }: CreateTaskDeps,
): Promise<CreateTaskResult> {
  const given = input.idempotencyKey;
  // The caller keeps its own key.
  const { key, settle } = given === undefined ? await takeTaskKey(input, name, keyStore) : { key: given };
  const payload = { query: createTaskDocument, variables: { input: { ...input, idempotencyKey: key } } };

  let last: Result | null = null;
  async function attempt(): Promise<Result> {
    last = null;
    const { createTask: result } = (await send(payload)) as { createTask: Result };
    last = result;
    if (isUnsettled(result)) throw new SwitchboardError("UNSETTLED", "There is no answer yet.", { retryable: true });
    return result;
  }
  const options = { signal, random, mayRetry: ({ retryable }: SwitchboardError) => retryable };
  const result = await retrying(attempt, options).catch((error: unknown) => {
    if (last) return last;
    if (error instanceof SwitchboardError && !signal.aborted) Object.assign(error, { idempotencyKey: key });
    throw error;
  });
  // A store that fails here keeps the key as it is: a repetition gets the same answer, which matters more.
  await settle?.(result.submission?.status).catch(() => undefined);
  return { ...result, idempotencyKey: key };
}

/** The same key may have another answer later: nothing was created yet, or it is being sent. */
function isUnsettled({ submission, errors }: Result): boolean {
  return submission?.status === "PENDING" || errors.some(({ code }) => code === "UNAVAILABLE");
}
