// Which pages of which sites may use this gateway from a browser: its own, by scheme, host and port, and those that are named
// exactly.
import type { IncomingMessage } from "node:http";
import { SECURITY_HEADERS, type ResponseHeaders } from "./securityHeaders.ts";

export interface OriginPolicy {
  /** Its own origin, a named one, or none at all, as programs that are no browser send it. */
  allows(request: IncomingMessage): boolean;
  /** Of its answer, with what every answer has: an allowed origin is granted it, and in a preflight told what it may ask. */
  headersFor(request: IncomingMessage): ResponseHeaders;
}

const NOTHING: ResponseHeaders = { ...SECURITY_HEADERS, vary: "origin" };
const PREFLIGHT: ResponseHeaders = {
  "access-control-allow-methods": "GET, POST, OPTIONS",
  "access-control-allow-headers": "content-type, authorization, x-switchboard-preflight",
  "access-control-max-age": "600",
};

/** `trustedProxies`: how many proxies in front write X-Forwarded-Proto; with none nobody is believed. */
export function createOriginPolicy(allowed: readonly string[], trustedProxies: number): OriginPolicy {
  const named = new Set(allowed);
  const isOwn = (origin: string, { headers }: IncomingMessage) => {
    const { host, "x-forwarded-proto": told } = headers;
    const scheme = trustedProxies === 0 ? "http" : schemeOf(String(told ?? "http"), trustedProxies);
    if (!host || !/^https?$/.test(scheme)) return false;
    const own = `${scheme}://${host}`;
    // Mostly as it is; written otherwise where the host has capitals, or the scheme's own port.
    return origin === own || URL.parse(own)?.origin === origin;
  };
  const allows = (request: IncomingMessage) => {
    const { origin } = request.headers;
    return origin === undefined || named.has(origin) || isOwn(origin, request);
  };
  return {
    allows,
    headersFor(request) {
      const { origin } = request.headers;
      if (origin === undefined || !allows(request)) return NOTHING;
      const granted = { ...NOTHING, "access-control-allow-origin": origin };
      return request.method === "OPTIONS" ? { ...granted, ...PREFLIGHT } : granted;
    },
  };
}

/** As the outermost trusted proxy saw it, or as far out as there is a word of one: many proxies overwrite what they were told. */
function schemeOf(told: string, trustedProxies: number): string {
  const schemes = told.split(",").map((scheme) => scheme.trim().toLowerCase());
  const scheme = schemes.at(-trustedProxies) ?? schemes[0] ?? "";
  // Some proxies name the protocol of WebSockets.
  return scheme.replace(/^ws/, "http");
}
