import type { TaskRecord, Upstream } from "../upstream/upstream.ts";

/** The same service; whatever task it shows, to whomever, is seen. */
export function observeTasks(upstream: Upstream, see: (task: TaskRecord) => void): Upstream {
  return {
    ...upstream,
    getTask: (taskId, asker) =>
      upstream.getTask(taskId, asker).then((task) => {
        if (task) see(task);
        return task;
      }),
  };
}
