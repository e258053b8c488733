import { createRoute } from "@tanstack/react-router";
import { rootRoute } from "../../frame/rootRoute.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { readStatisticsSearch } from "./statisticsSearch.ts";

export const statisticsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/statistics",
  validateSearch: readStatisticsSearch,
  component: lazyPart(() => import("./StatisticsView.tsx"), "StatisticsView"),
});
