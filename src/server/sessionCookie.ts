// The cookie of a browser's session (auth/sessions.ts). It counts as credentials where no page of another site can have caused the
// request: see OriginPolicy.
import type { IncomingMessage } from "node:http";
import type { OriginPolicy } from "./originPolicy.ts";

/**
 * Browsers let no other host set a name with this prefix, such as a neighbouring subdomain that plants its own session. They
 * accept it with TLS and for all paths only. Without TLS the cookie goes to /graphql alone.
 */
const WITH_TLS = { name: "__Host-switchboard_session", path: "/" } as const;
const WITHOUT_TLS = { name: "switchboard_session", path: "/graphql" } as const;

export interface CookieSession {
  /** As the text of an Authorization header, which auth/authenticate.ts reads. Undefined: the cookie must not count. */
  credentials: string | undefined;
  /** Whether another site may have caused the cookie to be sent. */
  isForeign: boolean;
}

const NO_SESSION: CookieSession = { credentials: undefined, isForeign: false };

/** There is none without a cookie, with two, and beside an Authorization header. */
export function sessionOf(
  request: IncomingMessage,
  originPolicy: Pick<OriginPolicy, "cannotBeFromOtherSite" | "siteOf">,
): CookieSession {
  const { authorization, cookie } = request.headers;
  if (authorization !== undefined || cookie === undefined) return NO_SESSION;
  const own = kindOf(originPolicy.siteOf(request));
  const values = cookie.split(";").flatMap((pair) => {
    const [name, value = ""] = pair.trim().split("=", 2);
    return name === own.name ? value : [];
  });
  if (values.length !== 1 || values[0] === "") return NO_SESSION;
  if (!originPolicy.cannotBeFromOtherSite(request)) return { credentials: undefined, isForeign: true };
  return { credentials: `Session ${values[0]}`, isForeign: false };
}

export type SiteOfPage = ReturnType<OriginPolicy["siteOf"]>;

const kindOf = ({ security }: SiteOfPage) => (security === "tls" ? WITH_TLS : WITHOUT_TLS);

/** `text`: empty to remove the cookie. Null: a browser would not accept a cookie for this page, because there is no TLS. */
export function writeCookie(text: string, maxAgeMs: number, site: SiteOfPage): string | null {
  const { isCrossSite, security } = site;
  if (isCrossSite && security === "no") return null;
  const { name, path } = kindOf(site);
  // HttpOnly: no script reads it.
  const common = `${name}=${text}; Path=${path}; HttpOnly; Max-Age=${Math.floor(maxAgeMs / 1000)}`;
  // A browser keeps a partitioned cookie for pages of this one site, and not for others that use the gateway.
  if (isCrossSite) return `${common}; SameSite=None; Secure; Partitioned`;
  return `${common}; SameSite=Strict${security === "tls" ? "; Secure" : ""}`;
}
