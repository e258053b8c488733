import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../frame/lazyView.tsx";
import { rootRoute } from "../../frame/rootRoute.tsx";
import { readCallsSearch } from "./callsSearch.ts";

export const callsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/calls",
  validateSearch: readCallsSearch,
  component: lazyView(
    () => import("./CallsView.tsx"),
    "CallsView",
    (t) => t.frame.calls,
  ),
});
