// The client address of a request, for limits that count by address.
import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";

/**
 * The address of the peer, or behind trusted proxies the address that the outermost of them wrote. Entries of
 * X-Forwarded-For in front of that one were written by the client itself.
 */
export function addressOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const { remoteAddress } = socket;
  if (trustedProxies === 0) return networkOf(remoteAddress);
  const hops = String(headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((hop) => hop.trim());
  return networkOf(hops.at(-trustedProxies) || remoteAddress);
}

/** The first 64 bits of an IPv6 address, because one client usually has all addresses of them. IPv4 addresses stay whole. */
export function networkOf(address = ""): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").toLowerCase().split("::");
  const groupsOf = (text: string) => (text === "" ? [] : text.split(":"));
  const [first, last] = [groupsOf(head), groupsOf(tail ?? "")];
  // An IPv4 address at the end takes the place of two groups.
  const written = first.length + last.length + (address.includes(".") ? 1 : 0);
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - written }, () => "0");
  const network = [...first, ...zeros, ...last].slice(0, 4);
  return `${network.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}
