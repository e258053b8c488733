// One task, live.
import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { SwitchboardError } from "../switchboardError.ts";
import type { Task } from "../generated/graph.ts";
import { textOf } from "../http/printDocument.ts";
import type { Words } from "../streams/callDocument.ts";
import type { Document, SwitchboardClient } from "../types.ts";
import { useSwitchboard } from "./context.ts";
import { createStore, useMade, type Store } from "./store.ts";

const FIELDS = "id taskId name status total progress collectionRate summary suggestion createdAt updatedAt";

/** For a manifest of trusted documents. */
export const taskDocument = `subscription TaskProgress($taskId: ID!) {
  taskProgress(taskId: $taskId) { __typename ${FIELDS} }
}`;

export type TaskFields = Pick<Task, "__typename" | Words<typeof FIELDS>>;

export interface LiveTask<T> {
  /** Null while it loads, and where the service has no such task. */
  task: T | null;
  /** Nothing was received yet. */
  loading: boolean;
  /** Why there is no newer state of the task. It may pass: the next item sets it to null. */
  error: SwitchboardError | null;
  /** Subscribes again. */
  retry: () => void;
}

type State<T> = Omit<LiveTask<T>, "retry">;

/** `document`: a subscription with the variable `$taskId`. A null ID subscribes to nothing. */
export function useTask(taskId: string | null): LiveTask<TaskFields>;
export function useTask<T>(
  taskId: string | null,
  options: { document: Document<{ taskProgress: T | null }, { taskId: string }> },
): LiveTask<T>;
export function useTask<T>(
  taskId: string | null,
  { document = taskDocument }: { document?: Document<{ taskProgress: T | null }, { taskId: string }> } = {},
): LiveTask<T> {
  const client = useSwitchboard();
  const text = useMemo(() => textOf(document), [document]);
  const live = useMade(() => createLiveTask<T>(client, taskId, text), [client, taskId, text]);
  const subscribe = useCallback(
    (listener: () => void) => (taskId === null ? ignore : live.subscribe(listener)),
    [live, taskId],
  );
  return { ...useSyncExternalStore(subscribe, live.get, live.initial), retry: live.restart };
}

function createLiveTask<T>(client: SwitchboardClient, taskId: string | null, text: string): Store<State<T>> {
  const first: State<T> = { task: null, loading: taskId !== null, error: null };
  return createStore(first, async ({ get, set }, signal) => {
    function fail(error: unknown): void {
      if (!signal.aborted) set({ ...get(), loading: false, error: error as SwitchboardError });
    }
    try {
      const options = { signal, onItemError: fail };
      const items = client.subscribe<{ taskProgress: T | null }>(text, { taskId }, options);
      for await (const { taskProgress } of items)
        if (!signal.aborted) set({ task: taskProgress, loading: false, error: null });
    } catch (error) {
      fail(error);
    }
  });
}

function ignore(): void {}
