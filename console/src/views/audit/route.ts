import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../frame/lazyView.tsx";
import { rootRoute } from "../../frame/rootRoute.tsx";
import { readAuditSearch } from "./auditSearch.ts";

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
