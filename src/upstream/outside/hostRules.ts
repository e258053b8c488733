// Which links may be followed: the hosts that the operator listed or, without a list, any public https host.
// Public means that no IANA registry of special-purpose addresses has the address, so no link leads into a private network.
import { BlockList, isIP } from "node:net";
import type { HostRule } from "../../config/hostList.ts";

export interface HostRules {
  /** The URL to fetch, or the reason for a refusal. It does not resolve host names; connector.ts checks their addresses. */
  check(address: string): URL | string;
  /** Whether the operator listed the host, which may then be private. `host` as a URL has it. */
  isListed(host: string, port: number): boolean;
  /**
   * The reason why a server that is none of the web may not be connected to, such as a message broker. Null: it may. Without a list its
   * connection must be encrypted, and its port may be any.
   */
  refusalOf(server: OutsideServer): string | null;
}

export interface OutsideServer {
  /** As a URL has it. */
  host: string;
  port: number;
  isEncrypted: boolean;
}

/** The variable with the list. */
export type HostVariable = "RECORDING_HOSTS" | "DESTINATION_HOSTS";

/** `listed`: the variable, or null without a list. `always`: hosts that are listed besides, such as the sandbox's own. */
export function createHostRules(
  listed: readonly HostRule[] | null,
  always: readonly HostRule[] = [],
  variable: HostVariable = "RECORDING_HOSTS",
): HostRules {
  const isListed = (host: string, port: number) =>
    [...(listed ?? []), ...always].some(
      (rule) => rule.host === host && (rule.port === null ? port === 80 || port === 443 : rule.port === port),
    );

  return {
    isListed,
    check(address) {
      const url = parseUrl(address);
      if (typeof url === "string") return url;
      if (isListed(url.hostname, portOf(url))) return url;
      if (listed) return refusal(`its host is not one of ${variable}`);
      if (url.protocol !== "https:") return refusal("it is not https");
      if (![80, 443].includes(portOf(url))) return refusal("its port is neither 80 nor 443");
      return refusalOfHost(url.hostname) ?? url;
    },
    refusalOf({ host, port, isEncrypted }) {
      if (isListed(host, port)) return null;
      if (listed) return refusal(`its host and port are not in ${variable}`);
      return isEncrypted ? refusalOfHost(host) : refusal("it is not encrypted");
    },
  };
}

/** A URL omits the default port of its protocol. */
export function portOf({ port, protocol }: Pick<URL, "port" | "protocol">): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

function parseUrl(address: string): URL | string {
  // The URL parser silently removes or replaces these characters, so the text would not show which host is meant.
  const url = /[\\\p{Cc}]/u.test(address) || address.trim() !== address ? null : URL.parse(address);
  if (!url) return refusal("it is not a web address");
  if (url.protocol !== "https:" && url.protocol !== "http:") return refusal("it is neither http nor https");
  if (url.username !== "" || url.password !== "") return refusal("it has a user name or password");
  return url;
}

function refusalOfHost(host: string): string | null {
  // "host." is the same host as "host", under a name that no rule has.
  if (host.endsWith(".")) return refusal("its host name ends with a dot");
  const literal = host.replace(/^\[|\]$/g, "");
  return isIP(literal) !== 0 && !isPublicAddress(literal) ? refusal("its address is not public") : null;
}

function refusal(reason: string): string {
  return `The link is refused: ${reason}.`;
}

const reservedIpv4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carrier-grade NAT
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local, including the metadata services of clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
];

/** All assigned public addresses. Outside are ::, ::1, v4-mapped, 64:ff9b::/96, 5f00::/16, fc00::/7, fe80::/10, ff00::/8. */
const publicIpv6 = "2000::/3";

const reservedIpv6 = [
  "2001::/23", // protocol assignments, with Teredo, benchmarks and ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4, which embeds an IPv4 address
  "2620:4f:8000::/48", // AS112
  "3fff::/20", // documentation
];

const ipv4 = listOf(reservedIpv4, "ipv4");
const ipv6 = listOf([publicIpv6], "ipv6");
const ipv6Except = listOf(reservedIpv6, "ipv6");

/** `address` is an IP address without brackets; false for any other text. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  // A zone index belongs to a link-local address.
  if (version === 0 || address.includes("%")) return false;
  if (version === 4) return !ipv4.check(address, "ipv4");
  return ipv6.check(address, "ipv6") && !ipv6Except.check(address, "ipv6");
}

function listOf(nets: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const net of nets) {
    const [address = "", prefix] = net.split("/");
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
