// Keeps connections out of private networks: it checks the addresses of a name in the DNS lookup of the connection itself, because a name
// that was resolved before may resolve to another address now.
import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "./hostRules.ts";

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

export interface PublicLookupOptions {
  resolve?: Resolve;
  /** Whether an address may be connected to; for tests, where all servers are on loopback. */
  isAllowed?: (address: string) => boolean;
}

export interface PublicLookup {
  /** For net.connect, which connects only to what this returns. One private address refuses them all. */
  lookup: LookupFunction;
  /** For a host that may be written as an IP address, which is not looked up. `host` as a URL has it. Null: it may be connected to. */
  refusalOf(host: string): AddressError | null;
}

export function createPublicLookup({
  resolve = resolveBySystem,
  isAllowed = isPublicAddress,
}: PublicLookupOptions): PublicLookup {
  return {
    lookup(hostname, { all }, done) {
      resolve(hostname, (error, addresses) => {
        const [first] = addresses ?? [];
        if (error || !first) return done(error ?? new AddressError("The host has no address.", "unknown"), []);
        // The host may have another address at the next try, which is checked again.
        if (!addresses.every(({ address }) => isAllowed(address))) return done(refusedAddress("changing"), []);
        if (all) done(null, addresses);
        else done(null, first.address, first.family);
      });
    },
    refusalOf(host) {
      const literal = host.replace(/^\[|\]$/g, "");
      return isIP(literal) !== 0 && !isAllowed(literal) ? refusedAddress("fixed") : null;
    },
  };
}

function refusedAddress(address: "fixed" | "changing"): AddressError {
  return new AddressError("The link is refused: its address is not public.", address);
}
