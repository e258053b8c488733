import { createRoute } from "@tanstack/react-router";
import { rootRoute } from "../../frame/rootRoute.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { readLiveSearch } from "./liveFilter.ts";

export const liveRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/live",
  validateSearch: readLiveSearch,
  component: lazyPart(() => import("./LiveView.tsx"), "LiveView"),
});
