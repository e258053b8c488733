import { createRoute } from "@tanstack/react-router";
import { rootRoute } from "../../frame/rootRoute.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";

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
  component: lazyPart(() => import("./TasksView.tsx"), "TasksView"),
});

function readTasksSearch({ task, submission, create }: Record<string, unknown>): TasksSearch {
  if (typeof task === "string" && task !== "") return { task };
  if (typeof submission === "string" && submission !== "") return { submission };
  return create === "1" ? { create } : {};
}
