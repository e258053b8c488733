import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../frame/lazyView.tsx";
import { rootRoute } from "../../frame/rootRoute.tsx";

export const exploreRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/explore",
  component: lazyView(
    () => import("./ExploreView.tsx"),
    "ExploreView",
    (t) => t.frame.explore,
  ),
});
