import { createRoute } from "@tanstack/react-router";
import { rootRoute } from "../../frame/rootRoute.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { readCallsSearch } from "./callsSearch.ts";

export const callsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/calls",
  validateSearch: readCallsSearch,
  component: lazyPart(() => import("./CallsView.tsx"), "CallsView"),
});
