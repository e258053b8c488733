import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../frame/rootRoute.tsx";
import { readCallsSearch } from "./callsSearch.ts";

export const callsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/calls",
  validateSearch: readCallsSearch,
  component: lazyRouteComponent(() => import("./CallsView.tsx"), "CallsView"),
});
