import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../frame/lazyView.tsx";
import { rootRoute } from "../../frame/rootRoute.tsx";

/** What is open: the details of a task, a sent task that is followed, or the form for a new one. */
export interface TasksSearch {
  task?: string | undefined;
  submission?: string | undefined;
  create?: "1" | undefined;
}

export const tasksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks",
  validateSearch: readTasksSearch,
  component: lazyView(
    () => import("./TasksView.tsx"),
    "TasksView",
    (t) => t.frame.tasks,
  ),
});

function readTasksSearch({ task, submission, create }: Record<string, unknown>): TasksSearch {
  if (typeof task === "string" && task !== "") return { task };
  if (typeof submission === "string" && submission !== "") return { submission };
  return create === "1" ? { create } : {};
}
