import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../frame/lazyView.tsx";
import { rootRoute } from "../../frame/rootRoute.tsx";

export const destinationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/destinations",
  component: lazyView(
    () => import("./DestinationsView.tsx"),
    "DestinationsView",
    (t) => t.frame.destinations,
  ),
});
