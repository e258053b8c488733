// The views of the console, in the order of the rail. To add one: make its folder in views/ with its route, and name it here,
// in the texts, and in CONSOLE_PATHS of the gateway (src/config/ownPaths.ts).
import {
  Activity,
  ChartColumn,
  HeartPulse,
  ListChecks,
  PhoneCall,
  ScrollText,
  Send,
  ShieldUser,
  SquareTerminal,
  type LucideIcon,
} from "lucide-react";
import type { Scope } from "./session/session.ts";
import type { Texts } from "./texts/en.ts";
import { auditRoute } from "./views/audit/route.ts";
import { callsRoute } from "./views/calls/route.ts";
import { destinationsRoute } from "./views/destinations/route.ts";
import { exploreRoute } from "./views/explore/route.ts";
import { healthRoute } from "./views/health/route.ts";
import { liveRoute } from "./views/live/route.ts";
import { privacyRoute } from "./views/privacy/route.ts";
import { statisticsRoute } from "./views/statistics/route.ts";
import { tasksRoute } from "./views/tasks/route.ts";

export interface ViewEntry {
  path: (typeof viewRoutes)[number]["path"];
  label: (t: Texts) => string;
  icon: LucideIcon;
  /** `g` and then this key go to the view. */
  jump?: string;
  /** A view is offered to a viewer that has one of these scopes. Null: to every viewer. */
  needs: readonly Scope[] | null;
}

export const viewRoutes = [
  liveRoute,
  callsRoute,
  tasksRoute,
  statisticsRoute,
  healthRoute,
  destinationsRoute,
  privacyRoute,
  auditRoute,
  exploreRoute,
] as const;

/** Tasks are listed with calls:read. The form and proposals need no other scope than their own. */
const TASK_SCOPES: readonly Scope[] = ["calls:read", "tasks:create", "tasks:propose", "tasks:approve"];

export const views: readonly ViewEntry[] = [
  { path: "/live", label: (t) => t.live.title, icon: Activity, jump: "l", needs: ["calls:read"] },
  { path: "/calls", label: (t) => t.frame.calls, icon: PhoneCall, jump: "c", needs: ["calls:read"] },
  { path: "/tasks", label: (t) => t.frame.tasks, icon: ListChecks, jump: "t", needs: TASK_SCOPES },
  { path: "/statistics", label: (t) => t.frame.statistics, icon: ChartColumn, jump: "s", needs: ["calls:read"] },
  { path: "/status", label: (t) => t.frame.health, icon: HeartPulse, jump: "h", needs: null },
  { path: "/destinations", label: (t) => t.frame.destinations, icon: Send, jump: "d", needs: ["admin"] },
  { path: "/privacy", label: (t) => t.frame.privacy, icon: ShieldUser, jump: "p", needs: ["admin"] },
  { path: "/audit", label: (t) => t.frame.audit, icon: ScrollText, jump: "a", needs: ["admin"] },
  { path: "/explore", label: (t) => t.frame.explore, icon: SquareTerminal, jump: "e", needs: null },
];
