// Whom a request came from, for what is counted by address.
import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";

/**
 * Whom a request came from: the peer, or, behind so many trusted proxies, what the outermost of them wrote. Whatever else
 * stands in X-Forwarded-For was written by the client itself.
 */
export function addressOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const { remoteAddress: peer } = socket;
  if (trustedProxies === 0) return networkOf(peer);
  const hops = String(headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((hop) => hop.trim());
  return networkOf(hops.at(-trustedProxies) || peer);
}

/** Of IPv6 the first 64 bits, for whoever has one address of them has all; an IPv4 address in its IPv6 form is itself. */
export function networkOf(address = ""): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").toLowerCase().split("::");
  const groupsOf = (text: string) => (text === "" ? [] : text.split(":"));
  const [first, last] = [groupsOf(head), groupsOf(tail ?? "")];
  // An IPv4 address at the end stands for two groups.
  const written = first.length + last.length + (address.includes(".") ? 1 : 0);
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - written }, () => "0");
  const network = [...first, ...zeros, ...last].slice(0, 4);
  return `${network.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}
