// Connects to hosts that people name, such as those of recordings and destinations. It checks the addresses of each connection in the DNS
// lookup of that connection: a name that was resolved before may resolve to another address now.
import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { isIP } from "node:net";
import type { buildConnector as Building } from "undici";
import { buildConnector } from "../undici.ts";
import { isPublicAddress, type HostRules } from "./hostRules.ts";

/** Resolves a host name to all its addresses. */
export type Resolve = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const resolveBySystem: Resolve = (hostname, done) => systemLookup(hostname, { all: true }, done);

/** No connection was opened. `address`: written in the link, found by its host's name, which may have another one later, or not found. */
export class AddressError extends Error {
  override readonly name = "AddressError";
  readonly address: "fixed" | "changing" | "unknown";
  constructor(message: string, address: AddressError["address"]) {
    super(message);
    this.address = address;
  }
}

export interface ConnectorOptions {
  rules: HostRules;
  timeoutMs: number;
  /** A further certificate authority; for tests with their own server. */
  ca?: string;
  resolve?: Resolve;
  /** Whether an address may be connected to; for tests, where all servers are on loopback. */
  isAllowed?: (address: string) => boolean;
}

export function createConnector(deps: ConnectorOptions): Building.connector {
  const { rules, timeoutMs, ca, resolve = resolveBySystem, isAllowed = isPublicAddress } = deps;
  const trusted = ca === undefined ? {} : { ca };
  const connectToListed = buildConnector({ timeout: timeoutMs, ...trusted });
  const connectToPublic = buildConnector({
    timeout: timeoutMs,
    ...trusted,
    lookup: lookupPublic,
  } as Building.BuildOptions);

  /** net.connect connects only to addresses that this returns. One private address refuses them all. */
  function lookupPublic(
    hostname: string,
    { all }: { all?: boolean },
    done: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
  ): void {
    resolve(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(error ?? new AddressError("The host has no address.", "unknown"), []);
      // The host may have another address at the next try, which is checked again.
      if (!addresses.every(({ address }) => isAllowed(address))) return done(refusedAddress("changing"), []);
      if (all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  }

  return (options, done) => {
    const port = Number(options.port) || (options.protocol === "https:" ? 443 : 80);
    if (rules.isListed(options.hostname, port)) return connectToListed(options, done);
    const literal = options.hostname.replace(/^\[|\]$/g, "");
    // There is no lookup for an IP address.
    if (isIP(literal) !== 0 && !isAllowed(literal)) return done(refusedAddress("fixed"), null);
    connectToPublic(options, done);
  };
}

function refusedAddress(address: "fixed" | "changing"): AddressError {
  return new AddressError("The link is refused: its address is not public.", address);
}
