// Not /health: probes may ask for that address.
import { createRoute } from "@tanstack/react-router";
import { rootRoute } from "../../frame/rootRoute.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";

export const healthRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/status",
  component: lazyPart(() => import("./HealthView.tsx"), "HealthView"),
});
