import type { IncomingMessage } from "node:http";

/**
 * Whom a request came from: the peer, or, behind so many trusted proxies, what the outermost of them wrote. Whatever else
 * stands in X-Forwarded-For was written by the client itself.
 */
export function addressOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const peer = socket.remoteAddress ?? "";
  if (trustedProxies === 0) return peer;
  const hops = String(headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((hop) => hop.trim());
  return hops.at(-trustedProxies) || peer;
}
