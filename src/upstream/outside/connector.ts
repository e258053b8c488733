// Connects to hosts that people name, such as those of recordings and destinations, for undici.
import { isIPv6 } from "node:net";
import type { buildConnector as Building } from "undici";
import { buildConnector } from "../undici.ts";
import type { HostRules } from "./hostRules.ts";
import { createPublicLookup, type PublicLookupOptions } from "./publicLookup.ts";

export interface ConnectorOptions extends PublicLookupOptions {
  rules: HostRules;
  timeoutMs: number;
  /** A further certificate authority; for tests with their own server. */
  ca?: string;
}

export function createConnector({ rules, timeoutMs, ca, ...addresses }: ConnectorOptions): Building.connector {
  const { lookup, refusalOf } = createPublicLookup(addresses);
  const options = {
    timeout: timeoutMs,
    // One request has one connection: where it is lost or given up, no other one is.
    allowH2: false,
    // Also where NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  };
  const connectToListed = buildConnector(options);
  const connectToPublic = buildConnector({ ...options, lookup });

  return (target, done) => {
    const port = Number(target.port) || (target.protocol === "https:" ? 443 : 80);
    // Undici passes an IPv6 address without the brackets that a URL has.
    const host = isIPv6(target.hostname) ? `[${target.hostname}]` : target.hostname;
    if (rules.isListed(host, port)) return connectToListed(target, done);
    const refusal = refusalOf(target.hostname);
    if (refusal) return done(refusal, null);
    connectToPublic(target, done);
  };
}
