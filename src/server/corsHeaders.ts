// The CORS headers that a page of an allowed origin gets (originPolicy.ts). They depend on the route: /recordings is read in
// ranges, /session is ended with DELETE.
import type { IncomingMessage } from "node:http";
import type { ResponseHeaders } from "./securityHeaders.ts";

/** What pages of allowed origins may do with a route. */
export interface CorsRoute {
  methods: string;
  /** Headers of the response that the page may read, beyond those that it always may. */
  exposed: string;
}

export const GRAPHQL_CORS: CorsRoute = { methods: "GET, POST, OPTIONS", exposed: "etag, retry-after" };
export const SESSION_CORS: CorsRoute = { methods: "POST, DELETE, OPTIONS", exposed: "retry-after" };
/** Agents that run in a browser. */
export const MCP_CORS: CorsRoute = {
  methods: "POST, OPTIONS",
  exposed: "mcp-protocol-version, retry-after, www-authenticate",
};
export const RECORDINGS_CORS: CorsRoute = {
  methods: "GET, HEAD, OPTIONS",
  exposed: "accept-ranges, content-disposition, content-length, content-range, etag",
};

/** Allowed where the preflight names no header. */
const DEFAULT_HEADERS = "content-type, authorization, x-switchboard-preflight";
const MAX_LENGTH = 2048;
/** RFC 9110, 5.6.2: the characters of a header's name. */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** Pages cannot set these headers, so no honest preflight names them (Fetch, "forbidden request-header"). */
const FORBIDDEN =
  /^(?:accept-charset|accept-encoding|access-control-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|proxy-.*|referer|sec-.*|set-cookie|te|trailer|transfer-encoding|upgrade|via)$/i;

/** Credentials are granted for the session cookie. The origin was checked. */
export function corsHeaders({ method, headers }: IncomingMessage, origin: string, route: CorsRoute): ResponseHeaders {
  const granted = { "access-control-allow-origin": origin, "access-control-allow-credentials": "true" };
  if (method !== "OPTIONS") return { ...granted, "access-control-expose-headers": route.exposed };
  return {
    ...granted,
    vary: "origin, access-control-request-headers",
    "access-control-allow-methods": route.methods,
    "access-control-allow-headers": allowedNames(headers["access-control-request-headers"]),
    "access-control-max-age": "600",
  };
}

/** The requested names, apart from those that no page may send. An unusually long list is not read. */
function allowedNames(requested: string | undefined): string {
  if (requested === undefined || requested.length > MAX_LENGTH) return DEFAULT_HEADERS;
  const names = requested.split(",").map((name) => name.trim().toLowerCase());
  return names.filter((name) => NAME.test(name) && name !== "*" && !FORBIDDEN.test(name)).join(", ") || DEFAULT_HEADERS;
}
