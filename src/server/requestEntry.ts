// What surrounds each request: the ID that a trusted proxy gave it, its line in the log, and its span. Each is off by default, and
// requests then go straight to their routes.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "../logger.ts";
import { createLogContext } from "../util/logContext.ts";
import { readRequestId } from "../util/requestId.ts";
import type { Route } from "./routeTable.ts";

export type HandleRequest = (request: IncomingMessage, response: ServerResponse, route: Route) => void;
/** Calls `handle` at once, with the same request. */
export type SurroundRequest = (...request: [...Parameters<HandleRequest>, handle: HandleRequest]) => void;

export interface RequestEntry {
  request: SurroundRequest;
  /** `handle` accepts or refuses the upgrade before it returns. */
  upgrade(request: IncomingMessage, handle: () => void): void;
}

export interface RequestEntryDeps {
  /** The number of proxies in front. With none, anybody could choose the ID. */
  trustedProxies: number;
  /** Whether each answer has a line in the log (LOG_REQUESTS). */
  logsRequests: boolean;
  /** The span of the request (tracing/). */
  trace: SurroundRequest;
  log: Logger;
}

/** Surrounds a request with nothing. */
export const handleAtOnce: SurroundRequest = (request, response, route, handle) => handle(request, response, route);

export function createRequestEntry({ trustedProxies, logsRequests, trace, log }: RequestEntryDeps): RequestEntry {
  const idOf = ({ headers }: IncomingMessage) => (trustedProxies > 0 ? readRequestId(headers["x-request-id"]) : null);

  const enter: SurroundRequest = (request, response, route, handle) => {
    const requestId = idOf(request);
    if (requestId === null && !logsRequests) return handle(request, response, route);
    const context = createLogContext(requestId === null ? {} : { requestId });
    if (requestId !== null) response.setHeader("x-request-id", requestId);
    const startedAt = performance.now();
    response.once("close", () => {
      if (logsRequests) context.run(() => logAnswer(log, request, response, route, startedAt));
      context.end();
    });
    context.run(() => handle(request, response, route));
  };

  const surroundsNothing = trustedProxies === 0 && !logsRequests;
  return {
    request: surroundsNothing
      ? trace
      : (request, response, route, handle) => trace(request, response, route, (...traced) => enter(...traced, handle)),
    upgrade(request, handle) {
      const requestId = idOf(request);
      if (requestId === null) return handle();
      const context = createLogContext({ requestId });
      context.run(handle);
      // The socket outlives its upgrade.
      context.end();
    },
  };
}

/** Neither the query nor what varies in a path: both may hold secrets and phone numbers. */
function logAnswer(
  log: Logger,
  { method }: IncomingMessage,
  { statusCode, headersSent }: ServerResponse,
  { path }: Route,
  startedAt: number,
): void {
  const status = headersSent ? statusCode : null;
  const milliseconds = Math.round(performance.now() - startedAt);
  log.info(
    { method, path, status, milliseconds },
    headersSent ? "answered a request" : "a client left before its answer",
  );
}
