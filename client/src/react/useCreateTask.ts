// Creates a task from a form. The client keeps the idempotency key, so that no click, failure or reload creates a second task.
import { useEffect, useRef, useSyncExternalStore } from "react";
import type { SwitchboardError } from "../switchboardError.ts";
import type { CreateTaskOptions, CreateTaskResult, SwitchboardClient, TaskInput } from "../types.ts";
import { useSwitchboard } from "./context.ts";
import { createStore, useMade } from "./store.ts";

export type CreateTaskState =
  | { name: "idle" }
  | { name: "sending" }
  /**
   * The task was sent. Its `submission.status` may be UNCONFIRMED: then it is not known whether the task exists. PROPOSED: it waits for
   * an approval.
   */
  | { name: "done"; result: CreateTaskResult }
  /** `errors`: what to show in the form. `error`: set where no answer came. Sending again is safe. */
  | { name: "failed"; errors: CreateTaskResult["errors"]; error: SwitchboardError | null };

export type UseCreateTaskOptions = Pick<CreateTaskOptions, "name" | "keyStore">;

export interface CreateTask {
  state: CreateTaskState;
  /** Sends the task, and resolves with how it ended; never rejects. While one is being sent, its promise is returned. */
  create: (input: TaskInput) => Promise<CreateTaskState>;
  /** Back to idle for another task. After ACCEPTED, RESOLVED or PROPOSED, also the same input creates another task then. */
  reset: () => Promise<void>;
}

/** `name`: of the form, for its key. `keyStore`: where the key is kept, such as createLocalKeyStore() for reloads. */
export function useCreateTask(options: UseCreateTaskOptions = {}): CreateTask {
  const client = useSwitchboard();
  const newest = useRef(options);
  useEffect(() => {
    newest.current = options;
  });
  const form = useMade(() => createForm(client, () => newest.current), [client, options.name]);
  const state = useSyncExternalStore(form.subscribe, form.get, form.initial);
  return { state, create: form.create, reset: form.reset };
}

function createForm(client: SwitchboardClient, options: () => UseCreateTaskOptions) {
  const store = createStore<CreateTaskState>({ name: "idle" }, () => Promise.resolve());
  let sending: Promise<CreateTaskState> | null = null;
  let sent: TaskInput | null = null;

  async function send(input: TaskInput): Promise<CreateTaskState> {
    store.set({ name: "sending" });
    const state = await client.createTask(input, options()).then(settled, failed);
    sent = input;
    sending = null;
    store.set(state);
    return state;
  }
  return {
    ...store,
    create(input: TaskInput): Promise<CreateTaskState> {
      sending ??= send(input);
      return sending;
    },
    async reset(): Promise<void> {
      if (sending) return;
      const state = store.get();
      const status = state.name === "done" && state.result.submission?.status;
      // The key of a task whose outcome is unknown is not replaced.
      const isTaken = status === "ACCEPTED" || status === "RESOLVED" || status === "PROPOSED";
      if (isTaken && sent) await client.releaseTaskKey(options().name ?? sent, options());
      if (!sending) store.set({ name: "idle" });
    },
  };
}

function settled(result: CreateTaskResult): CreateTaskState {
  const { errors } = result;
  return errors.length > 0 ? { name: "failed", errors, error: null } : { name: "done", result };
}

const failed = (error: SwitchboardError): CreateTaskState => ({ name: "failed", errors: [], error });
