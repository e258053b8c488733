import type { TaskRecord, Upstream } from "../upstream/upstream.ts";

/** The same service; whatever task it shows, to whomever, is seen. */
export function watchTasks(upstream: Upstream, see: (task: TaskRecord) => void): Upstream {
  return {
    ...upstream,
    async getTask(taskId, asker) {
      const task = await upstream.getTask(taskId, asker);
      if (task) see(task);
      return task;
    },
  };
}
