// Finds variables without effect: misspelt ones, and those that a platform set under a name of the gateway's. The texts name the
// variable and never a value. The gateway starts all the same, because an environment holds names of many programs.
import { proxyVariables } from "./proxyConfig.ts";
import { isSecretName } from "./secretFiles.ts";
import { isServiceLink } from "./serviceLinks.ts";
import type { Environment } from "./readVariables.ts";
import { variables } from "./variables.ts";
import { trimInvisible } from "./variableText.ts";
import { editDistance } from "../util/text/editDistance.ts";

/** Names that begin with one of these are hardly another program's. */
const OWN_PREFIXES = /^(UPSTREAM|WEBHOOK|RECORDINGS?|SANDBOX|RECONCILE|TRUSTED_DOCUMENTS?|SUBSCRIPTION_CALLBACK)_/;
/** Shorter names, such as HOST, are a letter away from names of other programs. */
const MIN_LENGTH = 7;

const known = [...Object.keys(variables), "SWITCHBOARD_KEY", "SWITCHBOARD_KEY_FILE", "SWITCHBOARD_ENV_FILE"];
const isKnown = (name: string) => known.includes(name);

/** One text for each variable that the operator should look at. */
export function strayVariables(env: Environment): string[] {
  return Object.entries(env).flatMap(([name, value = ""]) => {
    const text = trimInvisible(value);
    if (text === "") return [];
    const isLink = isServiceLink(name, text);
    if (isKnown(name)) return isLink ? [linkText(name)] : [];
    // As where a file of variables begins with a byte order mark.
    const visible = trimInvisible(name);
    if (visible !== name && isKnown(visible))
      return [`a variable looks like ${visible}, but its name has an invisible character and it has no effect`];
    if (isLink || name.toUpperCase() in proxyVariables) return [];
    if (name.toUpperCase() === "ALL_PROXY") return usesAllProxy(env) ? [allProxyText(name)] : [];
    const near = nearestTo(name);
    if (near !== null) return [`${name} is no variable of the gateway and has no effect; ${near} is one`];
    return OWN_PREFIXES.test(name) ? [`${name} is no variable of the gateway and has no effect`] : [];
  });
}

const ownProxies = ["HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy", "HTTPS_PROXY_FILE", "HTTP_PROXY_FILE"];

/** Whether other programs would use ALL_PROXY for requests to the service. */
function usesAllProxy(env: Environment): boolean {
  const isSet = (name: string) => trimInvisible(env[name] ?? "") !== "";
  return isSet("UPSTREAM_URL") && !ownProxies.some(isSet);
}

const allProxyText = (name: string) =>
  `${name} has no effect, because it often names a SOCKS proxy, which the gateway does not support: set HTTPS_PROXY or HTTP_PROXY for requests to the service`;

function linkText(name: string): string {
  const service = name
    .replace(/_PORT$/, "")
    .toLowerCase()
    .replaceAll("_", "-");
  return `${name} was set for a Service called ${service} and is ignored; enableServiceLinks: false in the pod keeps such variables out`;
}

/** The variable that was probably meant. Null: none is near. */
function nearestTo(name: string): string | null {
  const whole = name.toUpperCase();
  const plain = whole.replace(/^SWITCHBOARD_/, "");
  const withoutFile = plain.replace(/_FILE$/, "");
  if (plain.length >= MIN_LENGTH && isKnown(plain)) return plain;
  if (isKnown(withoutFile) && !isSecretName(withoutFile)) return withoutFile;
  return known.find((each) => isNear(each, whole) || isNear(each, plain)) ?? null;
}

function isNear(one: string, name: string): boolean {
  if (name.length < MIN_LENGTH || one.length < MIN_LENGTH) return false;
  return one.startsWith(`${name}_`) || editDistance(name, one) <= (name.length < 14 ? 1 : 2);
}
