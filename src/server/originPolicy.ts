// Which pages may use the gateway from a browser: those of its own origin (scheme, host and port), and those of CORS_ORIGINS.
import type { IncomingMessage } from "node:http";
import { isLoopback } from "../config/config.ts";
import { corsHeaders, type CorsRoute } from "./corsHeaders.ts";
import { SECURITY_HEADERS, type ResponseHeaders } from "./securityHeaders.ts";

export interface OriginPolicy {
  /** True for the own origin, for a configured one, and without Origin header, as programs other than browsers send none. */
  allows(request: IncomingMessage): boolean;
  /**
   * Whether Host is a name that no other site can have: of the loopback, or of a configured origin. Else the page of a site whose name was
   * made to point here looks like a page of the gateway.
   */
  knowsHost(request: IncomingMessage): boolean;
  /**
   * Whether it is certain that no page of another site caused the request. True with a header that such a page cannot send, from an
   * allowed origin, and where the browser names the own origin or the user as its source.
   */
  cannotBeFromOtherSite(request: IncomingMessage): boolean;
  /** Where the page of an allowed origin is, seen from the gateway. */
  siteOf(request: IncomingMessage): {
    /** Whether it is of another site, to which browsers send only cookies that are made for it. */
    isCrossSite: boolean;
    /** How the browser's connection is secured. "loopback": without TLS, but browsers trust it as if it were TLS. */
    security: "tls" | "loopback" | "no";
  };
  /** Security headers for the response, and CORS headers for an allowed origin. */
  headersFor(request: IncomingMessage, route: CorsRoute): ResponseHeaders;
}

/** Where a client reached the gateway, such as https://calls.example.com. */
export function originOf(request: IncomingMessage, { siteOf }: Pick<OriginPolicy, "siteOf">): string {
  const scheme = siteOf(request).security === "tls" ? "https" : "http";
  return `${scheme}://${request.headers.host ?? "localhost"}`;
}

const BASE_HEADERS: ResponseHeaders = { ...SECURITY_HEADERS, vary: "origin" };
/** Another site can send them only after a preflight, which only allowed origins are granted. */
const PREFLIGHTED = [
  "authorization",
  "x-switchboard-preflight",
  "apollo-require-preflight",
  "x-apollo-operation-name",
] as const;

/** `trustedProxies`: the number of proxies in front that write X-Forwarded-Proto. With 0, that header is ignored. */
export function createOriginPolicy(allowed: readonly string[], trustedProxies: number): OriginPolicy {
  const configured = new Set(allowed);
  const configuredHosts = new Set(allowed.map((origin) => URL.parse(origin)?.host));
  const schemeOf = ({ headers }: IncomingMessage) =>
    trustedProxies === 0 ? "http" : outermostScheme(String(headers["x-forwarded-proto"] ?? "http"), trustedProxies);
  const isOwn = (origin: string, request: IncomingMessage) => {
    const { host } = request.headers;
    const scheme = schemeOf(request);
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
    // HTTP/1.0 needs no Host, and no browser leaves it out.
    knowsHost: ({ headers: { host } }) =>
      host === undefined || namesLoopback(host) || configuredHosts.has(host.toLowerCase()),
    cannotBeFromOtherSite(request) {
      const { headers } = request;
      if (PREFLIGHTED.some((name) => headers[name] !== undefined)) return true;
      if (headers.origin !== undefined) return allows(request);
      // Old browsers do not send Sec-Fetch-Site, and are refused. "same-site" is another origin, and may be another person's page.
      const site = headers["sec-fetch-site"];
      return site === "same-origin" || site === "none";
    },
    siteOf(request) {
      const { origin, host = "", "sec-fetch-site": site } = request.headers;
      const isOther = origin !== undefined && !isOwn(origin, request);
      const withoutTls = namesLoopback(host) ? "loopback" : "no";
      return {
        isCrossSite: site === undefined ? isOther : site === "cross-site",
        security: schemeOf(request) === "https" ? "tls" : withoutTls,
      };
    },
    headersFor(request, route) {
      const { origin } = request.headers;
      if (origin === undefined || !allows(request)) return BASE_HEADERS;
      return { ...BASE_HEADERS, ...corsHeaders(request, origin, route) };
    },
  };
}

/** `host`: with or without a port. */
function namesLoopback(host: string): boolean {
  return isLoopback(URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, "") ?? "");
}

/** As the outermost trusted proxy saw it. Many proxies replace the header, so there may be fewer entries than proxies. */
function outermostScheme(forwardedProto: string, trustedProxies: number): string {
  const schemes = forwardedProto.split(",").map((scheme) => scheme.trim().toLowerCase());
  const scheme = schemes.at(-trustedProxies) ?? schemes[0] ?? "";
  // Some proxies send ws and wss for upgrades.
  return scheme.replace(/^ws/, "http");
}
