// The routes of the HTTP server: which path goes where, what its rejections are counted as, and what other origins may do.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RejectedAt } from "./connections/rejections.ts";
import { GRAPHQL_CORS, RECORDINGS_CORS, SESSION_CORS, type CorsRoute } from "./corsHeaders.ts";
import { sendText } from "./httpResponse.ts";
import { CONSOLE_PATHS, type ConsoleRoutes } from "./routes/consoleRoute.ts";
import { createHealthRoutes } from "./routes/health.ts";
import type { ResponseHeaders } from "./securityHeaders.ts";

/** `headers`: for the response; set already, unless the route `writesHeaders`. */
export type RouteHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  headers: ResponseHeaders,
) => Promise<void> | void;

export interface RouteDeps {
  graphql: RouteHandler;
  /** Opens and ends sessions of browsers. */
  session: RouteHandler;
  webhook: RouteHandler;
  webhookPath: string;
  recordings: RouteHandler;
  console: ConsoleRoutes;
  /** Whether the gateway can take work, for /readyz. */
  isReady: () => Promise<boolean>;
  /** Why the gateway is degraded, which /readyz tells, although it is ready. Null: it is not. */
  degradedBy: () => string | null;
}

export interface Route {
  /** The label of its rejections in the metrics. */
  place: RejectedAt;
  /** The path for logs and traces, with a placeholder for what varies; empty for a path without a route. */
  path: string;
  handle: RouteHandler;
  /** Whether `handle` writes `headers` with its own in one list, which is faster than setting each of them. */
  writesHeaders: boolean;
  /** Null: pages of other origins cannot read its responses. */
  cors: CorsRoute | null;
}

export interface RouteTable {
  /** A path without a route gets the one that answers 404. */
  find(path: string): Route;
  /** The `path` of each route. */
  paths: readonly string[];
}

/** Upgrades to WebSocket go elsewhere (httpServer.ts), also on /graphql. */
export function createRouteTable(deps: RouteDeps, isDraining: () => boolean): RouteTable {
  const { graphql, session, webhook, webhookPath, recordings, isReady, degradedBy } = deps;
  const { page, asset } = deps.console;
  const health = createHealthRoutes({ isReady, degradedBy, isDraining });
  const other = (path: string, handle: RouteHandler): Route => ({
    place: "other",
    path,
    handle,
    writesHeaders: false,
    cors: null,
  });

  const routes = new Map<string, Route>([
    // First, so that a webhook's path that is one of these is the webhook's.
    ...CONSOLE_PATHS.map((path): [string, Route] => [path, other(path, page)]),
    ["/graphql", { place: "graphql", path: "/graphql", handle: graphql, writesHeaders: true, cors: GRAPHQL_CORS }],
    ["/session", { ...other("/session", session), cors: SESSION_CORS }],
    [webhookPath, { place: "webhook", path: webhookPath, handle: webhook, writesHeaders: true, cors: null }],
    ["/livez", other("/livez", health.livez)],
    ["/readyz", other("/readyz", health.readyz)],
  ]);
  const belowRecordings: Route = {
    place: "recordings",
    path: "/recordings/{address}",
    handle: recordings,
    writesHeaders: false,
    cors: RECORDINGS_CORS,
  };
  const belowAssets = other("/assets/{file}", asset);
  const notFound = other("", (_, response) => sendText(response, 404, "There is nothing here.\n"));

  return {
    paths: [...routes.keys(), belowRecordings.path, belowAssets.path],
    find(path) {
      if (path.startsWith("/recordings/")) return belowRecordings;
      return routes.get(path) ?? (path.startsWith("/assets/") ? belowAssets : notFound);
    },
  };
}
