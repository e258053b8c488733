// Creates a task once: the key is stored before the first request, and every repetition sends the same key.
import { retrying } from "../http/retrying.ts";
import { SwitchboardError } from "../switchboardError.ts";
import { takeTaskKey, type TaskKey } from "./taskKeys.ts";
import type { CreateTaskOptions, CreateTaskResult, KeyStore, TaskInput } from "../types.ts";

/** For a manifest of trusted documents. */
export const createTaskDocument = `mutation CreateTask($input: CreateTaskInput!) {
  createTask(input: $input) {
    submission { id idempotencyKey status name assistantId numberCount submittedAt taskId }
    replayed
    errors { code message path }
  }
}`;

export interface CreateTaskDeps {
  send: (query: string, variables: Record<string, unknown>, signal: AbortSignal) => Promise<unknown>;
  random: () => number;
  signal: AbortSignal;
  keyStore: KeyStore;
}

type Payload = Omit<CreateTaskResult, "idempotencyKey">;

const TRIES = 5;

export async function createTask(
  input: TaskInput,
  { name }: Pick<CreateTaskOptions, "name">,
  { send, random, signal, keyStore }: CreateTaskDeps,
): Promise<CreateTaskResult> {
  signal.throwIfAborted();
  const given = input.idempotencyKey;
  const kept = given === undefined ? await takeTaskKey(input, name, keyStore) : givenKey(given);
  const idempotencyKey = kept.key;
  const variables = { input: { ...input, idempotencyKey } };

  let last: Payload | null = null;
  async function attempt(): Promise<Payload> {
    last = null;
    const { createTask: payload } = (await send(createTaskDocument, variables, signal)) as { createTask: Payload };
    last = payload;
    if (isUnsettled(payload)) throw new SwitchboardError("UNSETTLED", "There is no answer yet.", { retryable: true });
    return payload;
  }
  try {
    const payload = await retrying(attempt, { tries: TRIES, signal, random, mayRetry: ({ retryable }) => retryable });
    await settle(payload, kept);
    return { ...payload, idempotencyKey };
  } catch (error) {
    if (signal.aborted) throw error;
    if (last) return { ...(last as Payload), idempotencyKey };
    throw error instanceof SwitchboardError ? Object.assign(error, { idempotencyKey }) : error;
  }
}

/** The caller keeps it. */
function givenKey(key: string): TaskKey {
  return { key, created: async () => {}, rejected: async () => {} };
}

/** The same key may have another answer later: nothing was created yet, or it is being sent. */
function isUnsettled({ submission, errors }: Payload): boolean {
  return submission?.status === "PENDING" || errors.some(({ code }) => code === "UNAVAILABLE");
}

/** A store that fails here keeps the key as it is: it is not replaced, and a repetition gets the same answer. */
async function settle({ submission }: Payload, kept: TaskKey): Promise<void> {
  const status = submission?.status;
  try {
    if (status === "ACCEPTED" || status === "RESOLVED") await kept.created();
    if (status === "REJECTED") await kept.rejected();
  } catch {
    // The task is not in danger, and its answer matters more.
  }
}
