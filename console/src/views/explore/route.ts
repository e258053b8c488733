import { createRoute } from "@tanstack/react-router";
import { rootRoute } from "../../frame/rootRoute.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";

export const exploreRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/explore",
  component: lazyPart(() => import("./ExploreView.tsx"), "ExploreView"),
});
