import { createRoute } from "@tanstack/react-router";
import { lazyView } from "../../frame/lazyView.tsx";
import { rootRoute } from "../../frame/rootRoute.tsx";

export const privacyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/privacy",
  component: lazyView(
    () => import("./PrivacyView.tsx"),
    "PrivacyView",
    (t) => t.frame.privacy,
  ),
});
