// Hosts that the operator lists, such as RECORDING_HOSTS.
import { z } from "zod";

export interface HostRule {
  /** Written as in WHATWG URLs: lower case, IPv6 in brackets. */
  host: string;
  /** Null: ports 80 and 443. */
  port: number | null;
}

/** `host` or `host:port`, separated by commas. */
export const hostList = z
  .string()
  .transform((text) => text.split(",").map((part) => readHostRule(part.trim())))
  .refine((rules) => !rules.includes(null), "must be host or host:port, whole names, separated by commas")
  .transform((rules) => rules.filter((rule) => rule !== null));

/** A host name or address. Patterns such as *.example or .example are refused, because no host would ever match them. */
const HOST_NAME = /^(\[[\da-f:.]+\]|[\w-]+(\.[\w-]+)*\.?)$/;

/** Reads `host` or `host:port`. Null for other text. */
export function readHostRule(text: string): HostRule | null {
  const url = /^[^/\\@?#\s]+$/.test(text) ? URL.parse(`http://${text}`) : null;
  if (!url || !HOST_NAME.test(url.hostname)) return null;
  const port = /:(\d+)$/.exec(text)?.[1];
  return { host: url.hostname, port: port === undefined ? null : Number(port) };
}
