// The routes of the HTTP server: which path goes where, what its rejections are counted as, and what other origins may do.
import type { IncomingMessage, ServerResponse } from "node:http";
import { CONSOLE_PATHS, METADATA_PATH, type OwnFolder, type OwnPath } from "../config/ownPaths.ts";
import type { RejectedAt } from "./serverObserver.ts";
import { GRAPHQL_CORS, MCP_CORS, RECORDINGS_CORS, SESSION_CORS, type CorsRoute } from "./corsHeaders.ts";
import type { ConsoleRoutes } from "./routes/consoleRoute.ts";
import { createHealthRoutes } from "./routes/health.ts";
import type { ResponseHeaders } from "./securityHeaders.ts";

/** `headers`: for the response; set already, unless the route `writesHeaders`. */
export type RouteHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  headers: ResponseHeaders,
) => Promise<void> | void;

/** What the routes need of the rest of the gateway. */
export interface RouteDeps {
  graphql: RouteHandler;
  /** Opens and ends sessions of browsers. */
  session: RouteHandler;
  webhook: RouteHandler;
  webhookPath: string;
  recordings: RouteHandler;
  /** The client as a package. */
  client: RouteHandler;
  console: ConsoleRoutes;
  /** Null where the gateway serves no documentation. */
  docs: RouteHandler | null;
  /** Tools for agents. Null where they are off. */
  mcp: RouteHandler | null;
  /** Where clients of /mcp get tokens. Null where no identity provider is known. */
  mcpMetadata: RouteHandler | null;
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
  const { graphql, session, webhook, webhookPath, recordings, client, isReady, degradedBy } = deps;
  const { page, asset, unknown } = deps.console;
  const health = createHealthRoutes({ isReady, degradedBy, isDraining });
  const other = (path: string, handle: RouteHandler): Route => ({
    place: "other",
    path,
    handle,
    writesHeaders: false,
    cors: null,
  });

  const notFound = other("", unknown);
  const docs = deps.docs && other("/docs/{page}", deps.docs);

  const metadata = deps.mcpMetadata ? other(METADATA_PATH, deps.mcpMetadata) : notFound;
  const pages = Object.fromEntries(CONSOLE_PATHS.map((path) => [path, other(path, page)]));
  const own: Record<OwnPath, Route> = {
    ...(pages as Record<(typeof CONSOLE_PATHS)[number], Route>),
    "/graphql": { place: "graphql", path: "/graphql", handle: graphql, writesHeaders: true, cors: GRAPHQL_CORS },
    "/session": { ...other("/session", session), cors: SESSION_CORS },
    "/client.tgz": other("/client.tgz", client),
    "/docs": docs ?? notFound,
    "/mcp": deps.mcp ? { ...other("/mcp", deps.mcp), cors: MCP_CORS } : notFound,
    [METADATA_PATH]: metadata,
    [`${METADATA_PATH}/mcp`]: metadata,
    "/livez": other("/livez", health.livez),
    "/readyz": other("/readyz", health.readyz),
  };
  const routes = new Map<string, Route>([
    ...Object.entries(own),
    [webhookPath, { place: "webhook", path: webhookPath, handle: webhook, writesHeaders: true, cors: null }],
  ]);
  const below: Record<OwnFolder, Route> = {
    "/recordings": {
      place: "recordings",
      path: "/recordings/{address}",
      handle: recordings,
      writesHeaders: false,
      cors: RECORDINGS_CORS,
    },
    "/assets": other("/assets/{file}", asset),
    "/docs": docs ?? notFound,
  };
  return {
    paths: [...routes.keys(), ...Object.values(below).map(({ path }) => path)],
    find(path) {
      if (path.startsWith("/recordings/")) return below["/recordings"];
      const route = routes.get(path);
      if (route) return route;
      if (path.startsWith("/assets/")) return below["/assets"];
      return path.startsWith("/docs/") ? below["/docs"] : notFound;
    },
  };
}
