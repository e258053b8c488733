import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../frame/lazyView.tsx";
import { rootRoute } from "../../frame/rootRoute.tsx";
import { readStatisticsSearch } from "./statisticsSearch.ts";

export const statisticsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/statistics",
  validateSearch: readStatisticsSearch,
  component: lazyView(
    () => import("./StatisticsView.tsx"),
    "StatisticsView",
    (t) => t.frame.statistics,
  ),
});
