// Which pages of which sites may use this gateway from a browser: its own, and those that are named exactly.
import type { IncomingMessage } from "node:http";
import { GUARDS, type Head } from "./guards.ts";

export interface OriginPolicy {
  /** Its own origin, a named one, or none at all, as programs that are no browser send it. */
  allows(request: IncomingMessage): boolean;
  /** Of its answer, with what every answer has: an allowed origin is granted it, and in a preflight told what it may ask. */
  headFor(request: IncomingMessage): Head;
}

const NOTHING: Head = { ...GUARDS, vary: "origin" };
const PREFLIGHT: Head = {
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
    headFor(request) {
      const { origin } = request.headers;
      if (origin === undefined || !allows(request)) return NOTHING;
      const granted = { ...NOTHING, "access-control-allow-origin": origin };
      return request.method === "OPTIONS" ? { ...granted, ...PREFLIGHT } : granted;
    },
  };
}
