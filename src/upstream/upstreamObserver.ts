// What the metrics learn of requests to the service: the route and the outcome, never a path, which may hold a phone number.
import { CodedError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { createLogContext, type LogFields } from "../util/logContext.ts";
import type { ServiceResponse } from "./serviceResponse.ts";

export const serviceRoutes = ["call_log", "task", "create_task"] as const;
export type ServiceRoute = (typeof serviceRoutes)[number];

/** The class of the status, or why there is none. `cancelled`: nobody waited for the response any more. */
export const serviceOutcomes = ["2xx", "3xx", "4xx", "5xx", "timeout", "unreachable", "contract", "cancelled"] as const;
export type ServiceOutcome = (typeof serviceOutcomes)[number];

/** One request that was sent and has ended. Each retry is a request of its own. */
export interface EndedRequest {
  route: ServiceRoute;
  outcome: ServiceOutcome;
  /** Null: the service did not answer. */
  status: number | null;
  /** 1 for the first. */
  attempt: number;
  /** Since it was sent. */
  milliseconds: number;
  /** Names the work that it was sent for, or the first one if several share it. */
  context: Readonly<LogFields>;
}

export interface UpstreamObserver {
  requestEnded(request: EndedRequest): void;
  /** A query of the call log names this many tasks, at least one. */
  tasksQueried(tasks: number): void;
}

export const noUpstreamObserver: UpstreamObserver = { requestEnded: () => undefined, tasksQueried: () => undefined };

/** The same observer, which also logs each request at the level debug: no path, because it may hold a phone number. */
export function logRequests(observer: UpstreamObserver, log: Pick<Logger, "debug">): UpstreamObserver {
  return {
    ...observer,
    requestEnded(request) {
      observer.requestEnded(request);
      const { context, status, outcome, route, attempt } = request;
      const milliseconds = Math.round(request.milliseconds * 10) / 10;
      const fields = { route, ...(status === null ? { outcome } : { status }), attempt, milliseconds };
      createLogContext(context).run(() => log.debug(fields, "a request to the service has ended"));
    },
  };
}

export function statusOf(outcome: Pick<ServiceResponse, "status"> | Error): number | null {
  return outcome instanceof Error ? null : outcome.status;
}

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
