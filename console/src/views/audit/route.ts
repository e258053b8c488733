import { createRoute } from "@tanstack/react-router";
import { rootRoute } from "../../frame/rootRoute.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";

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
  component: lazyPart(() => import("./AuditView.tsx"), "AuditView"),
});

function readAuditSearch({ after, entry }: Record<string, unknown>): AuditSearch {
  return {
    ...(typeof after === "string" && after !== "" && { after }),
    ...(typeof entry === "string" && entry !== "" && { entry }),
  };
}
