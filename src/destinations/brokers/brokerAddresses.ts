// The addresses of a broker for a client that resolves names by itself: it connects to these, and not to what the name means later.
import type { LookupAddress } from "node:dns";
import type { PublicLookup } from "../../upstream/outside/publicLookup.ts";
import { isIP } from "node:net";

/** `host` as a URL has it; the addresses, too. Rejects with an AddressError where one of them is not public. */
export async function addressesOf(host: string, { lookup, refusalOf }: PublicLookup): Promise<string[]> {
  const refusal = refusalOf(host);
  if (refusal) throw refusal;
  if (host.startsWith("[") || isIP(host) !== 0) return [host];
  const found = await new Promise<LookupAddress[]>((resolve, reject) =>
    lookup(host, { all: true }, (error, addresses) =>
      error ? reject(error) : resolve(addresses as unknown as LookupAddress[]),
    ),
  );
  return found.map(({ address, family }) => (family === 6 ? `[${address}]` : address));
}
