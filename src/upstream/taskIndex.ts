// A map whose entries name tasks, with an index by task: deleting all entries of one task needs no scan. An entry that names
// no task covers all tasks.

interface Entry<Value> {
  taskIds: readonly string[];
  value: Value;
}

export interface TaskIndex<Value> {
  get(key: string): Value | undefined;
  set(key: string, taskIds: readonly string[], value: Value): void;
  delete(key: string): void;
  /** Deletes the entries that name the task, and those that name none; null: only those that name none. */
  deleteByTask(taskId: string | null): void;
  size(): number;
  /** In the order they were set. Entries may be deleted meanwhile. */
  entries(): Iterable<readonly [key: string, value: Value]>;
}

/** The index key of entries that name no task. */
const NO_TASK = "";

/** `onDelete` gets the value of each entry that is deleted or replaced. */
export function createTaskIndex<Value>(onDelete: (value: Value) => void = () => undefined): TaskIndex<Value> {
  const entries = new Map<string, Entry<Value>>();
  const keysByTask = new Map<string, Set<string>>();
  const indexKeys = (taskIds: readonly string[]) => (taskIds.length > 0 ? taskIds : [NO_TASK]);

  function remove(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    for (const taskId of indexKeys(entry.taskIds)) {
      keysByTask.get(taskId)?.delete(key);
      if (keysByTask.get(taskId)?.size === 0) keysByTask.delete(taskId);
    }
    onDelete(entry.value);
  }
  return {
    get: (key) => entries.get(key)?.value,
    set(key, taskIds, value) {
      remove(key);
      entries.set(key, { taskIds, value });
      for (const taskId of indexKeys(taskIds)) {
        keysByTask.set(taskId, (keysByTask.get(taskId) ?? new Set()).add(key));
      }
    },
    delete: remove,
    deleteByTask(taskId) {
      for (const indexKey of taskId === null ? [NO_TASK] : [NO_TASK, taskId]) {
        for (const key of keysByTask.get(indexKey) ?? []) remove(key);
      }
    },
    size: () => entries.size,
    entries: () => entries.entries().map(([key, { value }]) => [key, value] as const),
  };
}
