// A map whose entries are about tasks, so that all that is about one is found without a search. An entry that names no
// task is about them all.

interface Entry<Value> {
  taskIds: readonly string[];
  /** Undefined once it has left: see `remove`. */
  value: Value | undefined;
}

export interface TaskIndex<Value> {
  get(key: string): Value | undefined;
  set(key: string, taskIds: readonly string[], value: Value): void;
  delete(key: string): void;
  /** Deletes what names the task, and what names none; null: only that. */
  deleteByTask(taskId: string | null): void;
  size(): number;
  /** In the order they were set. */
  entries(): Iterable<readonly [key: string, value: Value]>;
}

/** `onDelete` is told of each entry that leaves. */
export function createTaskIndex<Value>(onDelete: (value: Value) => void = () => undefined): TaskIndex<Value> {
  const entries = new Map<string, Entry<Value>>();
  /** Keys by task; under "" are those that name none. */
  const keys = new Map<string, Set<string>>();
  const named = (taskIds: readonly string[]) => (taskIds.length > 0 ? taskIds : [""]);

  function remove(key: string): void {
    const entry = entries.get(key);
    if (entry?.value === undefined) return;
    const { value } = entry;
    entries.delete(key);
    // A Map that shrinks or grows leaves a table behind that still holds this entry, and the tables hold one another until
    // the old generation is collected: whatever hung on the value would live as long.
    entry.value = undefined;
    for (const taskId of named(entry.taskIds)) {
      keys.get(taskId)?.delete(key);
      if (keys.get(taskId)?.size === 0) keys.delete(taskId);
    }
    onDelete(value);
  }
  return {
    get: (key) => entries.get(key)?.value,
    set(key, taskIds, value) {
      remove(key);
      entries.set(key, { taskIds, value });
      for (const taskId of named(taskIds)) keys.set(taskId, (keys.get(taskId) ?? new Set()).add(key));
    },
    delete: remove,
    deleteByTask(taskId) {
      for (const about of taskId === null ? [""] : ["", taskId]) {
        for (const key of keys.get(about) ?? []) remove(key);
      }
    },
    size: () => entries.size,
    entries: () => entries.entries().map(([key, { value }]) => [key, value as Value] as const),
  };
}
