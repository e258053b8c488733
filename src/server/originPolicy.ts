// CORS: which origins may use the gateway from a browser. Its own origin (scheme, host and port), and those of CORS_ORIGINS.
import type { IncomingMessage } from "node:http";
import { SECURITY_HEADERS, type ResponseHeaders } from "./securityHeaders.ts";

export interface OriginPolicy {
  /** True for the own origin, for a configured one, and without Origin header, as programs other than browsers send none. */
  allows(request: IncomingMessage): boolean;
  /** CORS and security headers for the response. A preflight from an allowed origin also gets methods and headers. */
  headersFor(request: IncomingMessage): ResponseHeaders;
}

const BASE_HEADERS: ResponseHeaders = { ...SECURITY_HEADERS, vary: "origin" };
const PREFLIGHT_HEADERS: ResponseHeaders = {
  "access-control-allow-methods": "GET, POST, OPTIONS",
  "access-control-allow-headers": "content-type, authorization, x-switchboard-preflight",
  "access-control-max-age": "600",
};

/** `trustedProxies`: the number of proxies in front that write X-Forwarded-Proto. With 0, that header is ignored. */
export function createOriginPolicy(allowed: readonly string[], trustedProxies: number): OriginPolicy {
  const configured = new Set(allowed);
  const isOwn = (origin: string, { headers }: IncomingMessage) => {
    const { host, "x-forwarded-proto": forwardedProto } = headers;
    const scheme = trustedProxies === 0 ? "http" : outermostScheme(String(forwardedProto ?? "http"), trustedProxies);
    if (!host || !/^https?$/.test(scheme)) return false;
    const own = `${scheme}://${host}`;
    // URL.parse is needed only for a host in capitals, or with the default port of its scheme.
    return origin === own || URL.parse(own)?.origin === origin;
  };
  const allows = (request: IncomingMessage) => {
    const { origin } = request.headers;
    return origin === undefined || configured.has(origin) || isOwn(origin, request);
  };
  return {
    allows,
    headersFor(request) {
      const { origin } = request.headers;
      if (origin === undefined || !allows(request)) return BASE_HEADERS;
      const granted = { ...BASE_HEADERS, "access-control-allow-origin": origin };
      return request.method === "OPTIONS" ? { ...granted, ...PREFLIGHT_HEADERS } : granted;
    },
  };
}

/** As the outermost trusted proxy saw it. Many proxies replace the header, so there may be fewer entries than proxies. */
function outermostScheme(forwardedProto: string, trustedProxies: number): string {
  const schemes = forwardedProto.split(",").map((scheme) => scheme.trim().toLowerCase());
  const scheme = schemes.at(-trustedProxies) ?? schemes[0] ?? "";
  // Some proxies send ws and wss for upgrades.
  return scheme.replace(/^ws/, "http");
}
