// Not /health: probes may ask for that address.
import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../frame/lazyView.tsx";
import { rootRoute } from "../../frame/rootRoute.tsx";

export const healthRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/status",
  component: lazyView(
    () => import("./HealthView.tsx"),
    "HealthView",
    (t) => t.frame.health,
  ),
});
