// Which addresses are of the public internet: whoever names another one means a machine that only we can reach. The lists
// are IANA's registries of special-purpose addresses.
import { BlockList, isIP } from "node:net";

const notPublicIpv4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // behind a carrier's NAT
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local, and the metadata of clouds
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

/** All that is given out lies in it. Outside are ::, ::1, v4-mapped, 64:ff9b::/96, 5f00::/16, fc00::/7, fe80::/10, ff00::/8. */
const publicIpv6 = "2000::/3";

const notPublicIpv6 = [
  "2001::/23", // protocol assignments, with Teredo, benchmarks and ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4: an IPv4 address in disguise
  "2620:4f:8000::/48", // AS112
  "3fff::/20", // documentation
];

const ipv4 = listOf(notPublicIpv4, "ipv4");
const ipv6 = listOf([publicIpv6], "ipv6");
const ipv6Except = listOf(notPublicIpv6, "ipv6");

/** Of a literal address, without brackets. What is no address is not public either. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  // A zone belongs to a link, and no link is public.
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
