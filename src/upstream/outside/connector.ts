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
  const trusted = ca === undefined ? {} : { ca };
  const { lookup, refusalOf } = createPublicLookup(addresses);
  const connectToListed = buildConnector({ timeout: timeoutMs, ...trusted });
  const connectToPublic = buildConnector({ timeout: timeoutMs, ...trusted, lookup });

  return (options, done) => {
    const port = Number(options.port) || (options.protocol === "https:" ? 443 : 80);
    // Undici passes an IPv6 address without the brackets that a URL has.
    const host = isIPv6(options.hostname) ? `[${options.hostname}]` : options.hostname;
    if (rules.isListed(host, port)) return connectToListed(options, done);
    const refusal = refusalOf(options.hostname);
    if (refusal) return done(refusal, null);
    connectToPublic(options, done);
  };
}
