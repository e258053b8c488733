// What the metrics learn of requests to the service: the route and the outcome, never a path, which may hold a phone number.
import { CodedError } from "../errors.ts";
import type { ServiceResponse } from "./serviceResponse.ts";

export const serviceRoutes = ["call_log", "task", "create_task"] as const;
export type ServiceRoute = (typeof serviceRoutes)[number];

/** The class of the status, or why there is none. `cancelled`: nobody waited for the response any more. */
export const serviceOutcomes = ["2xx", "3xx", "4xx", "5xx", "timeout", "unreachable", "contract", "cancelled"] as const;
export type ServiceOutcome = (typeof serviceOutcomes)[number];

export interface UpstreamObserver {
  /** One request that was sent has ended; each retry is a request of its own. The time begins when it is sent. */
  requestEnded(route: ServiceRoute, outcome: ServiceOutcome, milliseconds: number): void;
  /** A query of the call log names this many tasks, at least one. */
  tasksQueried(tasks: number): void;
}

export const noUpstreamObserver: UpstreamObserver = { requestEnded: () => undefined, tasksQueried: () => undefined };

export function routeOf(path: string): ServiceRoute {
  return path.startsWith("/openapi/tasks/") ? "task" : "call_log";
}

export function outcomeOf(outcome: Pick<ServiceResponse, "status"> | Error): ServiceOutcome {
  if (!(outcome instanceof Error)) return classOf(outcome.status);
  if (!(outcome instanceof CodedError)) return "cancelled";
  if (outcome.code === "UPSTREAM_TIMEOUT") return "timeout";
  return outcome.code === "UPSTREAM_CONTRACT" ? "contract" : "unreachable";
}

export function classOf(status: number): ServiceOutcome {
  if (status >= 500) return "5xx";
  if (status >= 400) return "4xx";
  return status >= 300 ? "3xx" : "2xx";
}
