// Not /health: probes may ask for that address.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../frame/rootRoute.tsx";

export const healthRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/status",
  component: lazyRouteComponent(() => import("./HealthView.tsx"), "HealthView"),
});
