// From where recordings may be fetched: the hosts that are named, or, where none is, any public https host.
import { isIP } from "node:net";
import type { HostRule } from "../config/recordingsConfig.ts";
import { isPublicAddress } from "./publicAddress.ts";

export interface HostRules {
  /** Why an address must not be asked, or the URL to ask; no name is looked up. */
  check(address: string): URL | string;
  /** Whether the operator has named it: it may be private then. The port as a number, the host as a URL has it. */
  isListed(host: string, port: number): boolean;
}

/** `named`: null where none is. `always`: named besides, such as the sandbox's own. */
export function createHostRules(named: readonly HostRule[] | null, always: readonly HostRule[] = []): HostRules {
  const isNamed = (host: string, port: number) =>
    [...(named ?? []), ...always].some(
      (rule) => rule.host === host && (rule.port === null ? port === 80 || port === 443 : rule.port === port),
    );

  return {
    isListed: isNamed,
    check(address) {
      const url = readUrl(address);
      if (typeof url === "string") return url;
      if (isNamed(url.hostname, portOf(url))) return url;
      if (named) return refused("its host is not one of RECORDING_HOSTS");
      if (url.protocol !== "https:") return refused("it is not https");
      if (![80, 443].includes(portOf(url))) return refused("its port is not one of the web's");
      // A name with a dot at its end is the same host under a name that no rule knows.
      if (url.hostname.endsWith(".")) return refused("its host name ends with a dot");
      const literal = url.hostname.replace(/^\[|\]$/g, "");
      if (isIP(literal) !== 0 && !isPublicAddress(literal)) return refused("its address is not public");
      return url;
    },
  };
}

/** The default ports are not written in a URL. */
export function portOf({ port, protocol }: Pick<URL, "port" | "protocol">): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

function readUrl(address: string): URL | string {
  // What browsers repair silently reads otherwise to whoever looked at it before.
  const url = /[\\\p{Cc}]/u.test(address) || address.trim() !== address ? null : URL.parse(address);
  if (!url) return refused("it is not a web address");
  if (url.protocol !== "https:" && url.protocol !== "http:") return refused("it is neither http nor https");
  if (url.username !== "" || url.password !== "") return refused("it names a user");
  return url;
}

function refused(why: string): string {
  return `The link is refused: ${why}.`;
}
