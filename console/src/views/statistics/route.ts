import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../frame/rootRoute.tsx";
import { readStatisticsSearch } from "./statisticsSearch.ts";

export const statisticsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/statistics",
  validateSearch: readStatisticsSearch,
  component: lazyRouteComponent(() => import("./StatisticsView.tsx"), "StatisticsView"),
});
