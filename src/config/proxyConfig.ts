// The proxy for requests to the service, by the variables that most programs read, in upper or lower case.
import { z } from "zod";

export interface ProxyConfig {
  /** For a service with http, with credentials. Empty: none. */
  http: string;
  /** For a service with https; without it that of http. Empty: none. */
  https: string;
  /** Hosts that are reached directly, comma-separated. */
  noProxy: string;
}

/** `proxy.example:3128` is an http proxy, as other programs read it. */
const withScheme = (text: string) => (/^[\w.-]+:\d+\/?$/.test(text) ? `http://${text}` : text);

const proxyUrl = z
  .string()
  .transform(withScheme)
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), "must be the address of an http or https proxy")
  .refine((text) => isDecodable(text), "must have its user and password percent-encoded");

export const proxyVariables = {
  HTTP_PROXY: proxyUrl.optional(),
  HTTPS_PROXY: proxyUrl.optional(),
  NO_PROXY: z.string().optional(),
} satisfies Record<string, z.ZodType>;

const shape = z.object(proxyVariables);

/** Null: there is no proxy. */
export function proxyConfigOf({ HTTP_PROXY, HTTPS_PROXY, NO_PROXY = "" }: z.output<typeof shape>): ProxyConfig | null {
  if (HTTP_PROXY === undefined && HTTPS_PROXY === undefined) return null;
  return { http: HTTP_PROXY ?? "", https: HTTPS_PROXY ?? "", noProxy: NO_PROXY };
}

export const proxySecrets = (proxy: ProxyConfig | null): string[] =>
  [proxy?.http, proxy?.https].flatMap((address) => passwordsOfProxy(address ?? ""));

/** The password of a proxy's address, as it is written and as it is sent. */
export function passwordsOfProxy(address: string): string[] {
  const { password = "" } = URL.parse(address) ?? {};
  return password !== "" && isDecodable(address) ? [password, decodeURIComponent(password)] : [];
}

function isDecodable(text: string): boolean {
  const { username = "", password = "" } = URL.parse(text) ?? {};
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
