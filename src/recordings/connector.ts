// Dials the hosts of recordings. Every address is judged at every dial, in the step that dials it: a name that is looked
// up before says nothing of where the connection then goes.
import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { isIP } from "node:net";
import type { buildConnector as Building } from "undici";
import { buildConnector } from "../upstream/undici.ts";
import { FetchFailure } from "./fetchFailure.ts";
import type { HostRules } from "./hostRules.ts";
import { isPublicAddress } from "./publicAddress.ts";

/** All addresses of a name. */
export type Resolve = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const resolveBySystem: Resolve = (hostname, done) => systemLookup(hostname, { all: true }, done);

export interface ConnectorOptions {
  rules: HostRules;
  timeoutMs: number;
  /** Trusted besides the usual ones; for tests with a server of their own. */
  ca?: string;
  resolve?: Resolve;
  /** Whether an address may be dialled; for tests, where everything is on loopback. */
  isAllowed?: (address: string) => boolean;
}

export function createConnector(options: ConnectorOptions): Building.connector {
  const { rules, timeoutMs, ca, resolve = resolveBySystem, isAllowed = isPublicAddress } = options;
  const trusted = ca === undefined ? {} : { ca };
  const dialNamed = buildConnector({ timeout: timeoutMs, ...trusted });
  const dialPublic = buildConnector({
    timeout: timeoutMs,
    ...trusted,
    lookup: lookupPublic,
  } as Building.BuildOptions);

  /** What net.connect asks, and it dials what it is told and nothing else. One bad address among good ones is a trap. */
  function lookupPublic(
    hostname: string,
    { all }: { all?: boolean },
    done: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
  ): void {
    resolve(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(error ?? new FetchFailure("The link's host has no address.", "good"), []);
      // It may be another one at the next try, and each try is judged.
      if (!addresses.every(({ address }) => isAllowed(address))) return done(notPublic("little"), []);
      if (all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  }

  return (dial, done) => {
    const port = Number(dial.port) || (dial.protocol === "https:" ? 443 : 80);
    if (rules.isListed(dial.hostname, port)) return dialNamed(dial, done);
    const literal = dial.hostname.replace(/^\[|\]$/g, "");
    // A literal is never looked up.
    if (isIP(literal) !== 0 && !isAllowed(literal)) return done(notPublic("none"), null);
    dialPublic(dial, done);
  };
}

function notPublic(hope: "none" | "little"): FetchFailure {
  return new FetchFailure("The link is refused: its address is not public.", hope);
}
