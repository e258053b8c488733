import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../frame/lazyView.tsx";
import { rootRoute } from "../../frame/rootRoute.tsx";
import { readLiveSearch } from "./liveFilter.ts";

export const liveRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/live",
  validateSearch: readLiveSearch,
  component: lazyView(
    () => import("./LiveView.tsx"),
    "LiveView",
    (t) => t.live.title,
  ),
});
