// The views of the console, in the order of the rail. To add one: make its folder in views/ with its route, and name it here,
// in the texts, and in CONSOLE_PATHS of the gateway (src/server/routes/consoleRoute.ts).
import { Activity, type LucideIcon } from "lucide-react";
import type { Scope } from "./session/session.ts";
import type { Texts } from "./texts/en.ts";
import { liveRoute } from "./views/live/route.ts";

export interface ViewEntry {
  path: (typeof viewRoutes)[number]["path"];
  label: (t: Texts) => string;
  icon: LucideIcon;
  /** A view is offered to a viewer that has this scope. */
  needs: Scope;
}

export const viewRoutes = [liveRoute] as const;

export const views: readonly ViewEntry[] = [
  { path: "/live", label: (t) => t.live.title, icon: Activity, needs: "calls:read" },
];
