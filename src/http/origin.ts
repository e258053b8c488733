// Which pages of which sites may use this gateway from a browser: its own, and those that are named exactly.
import type { IncomingMessage, ServerResponse } from "node:http";

export interface OriginPolicy {
  /** Its own origin, a named one, or none at all, as programs that are no browser send it. */
  allows(request: IncomingMessage): boolean;
  /** Sets the CORS headers for an allowed origin, and answers a preflight: true when the request is done with. */
  grant(request: IncomingMessage, response: ServerResponse): boolean;
}

const PREFLIGHT = {
  "access-control-allow-methods": "GET, POST, OPTIONS",
  "access-control-allow-headers": "content-type, authorization, x-switchboard-preflight",
  "access-control-max-age": "600",
};

export function createOriginPolicy(allowed: readonly string[]): OriginPolicy {
  const named = new Set(allowed);
  const allows = ({ headers }: IncomingMessage) => {
    const { origin, host } = headers;
    if (origin === undefined || named.has(origin)) return true;
    const url = URL.parse(origin);
    return url !== null && /^https?:$/.test(url.protocol) && url.host === host;
  };
  return {
    allows,
    grant(request, response) {
      const { origin } = request.headers;
      response.setHeader("vary", "origin");
      const granted = origin !== undefined && allows(request);
      if (granted) response.setHeader("access-control-allow-origin", origin);
      if (request.method !== "OPTIONS") return false;
      response.writeHead(204, granted ? PREFLIGHT : {}).end();
      return true;
    },
  };
}
