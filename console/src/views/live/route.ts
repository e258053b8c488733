import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../frame/rootRoute.tsx";
import { readLiveSearch } from "./liveFilter.ts";

export const liveRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/live",
  validateSearch: readLiveSearch,
  component: lazyRouteComponent(() => import("./LiveView.tsx"), "LiveView"),
});
