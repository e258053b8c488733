import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../frame/lazyView.tsx";
import { rootRoute } from "../../frame/rootRoute.tsx";

export interface AuditSearch {
  /** The page behind this cursor; absent: the newest one. */
  after?: string | undefined;
  /** The entry whose details are open. */
  entry?: string | undefined;
}

export const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/audit",
  validateSearch: readAuditSearch,
  component: lazyView(
    () => import("./AuditView.tsx"),
    "AuditView",
    (t) => t.frame.audit,
  ),
});

function readAuditSearch({ after, entry }: Record<string, unknown>): AuditSearch {
  return {
    ...(typeof after === "string" && after !== "" && { after }),
    ...(typeof entry === "string" && entry !== "" && { entry }),
  };
}
