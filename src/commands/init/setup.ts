// What the answers of `switchboard init` mean: settings, secrets and the address of the webhook. Files follow from it.
import { variables } from "../../config/variables.ts";
import { originOf, type Answers, type Deployment } from "./initQuestions.ts";

export interface Setup {
  deployment: Deployment;
  /** Variables without secrets, in the order in which people read them. */
  settings: [name: string, value: string][];
  secrets: SetupSecret[];
  /** Where the gateway listens, on a machine of its own. */
  host: string;
  /** Whether others than this machine reach the gateway's own port. */
  isOpenToOthers: boolean;
  /** For the service's webhook page. */
  webhookAddress: string;
}

export interface SetupSecret {
  variable: string;
  /** Such as upstream-token. */
  name: string;
  /** Its file: below the folder, or the one that was named. */
  file: string;
}

export const KEYS_FILE = "keys.json";
const PORT = variables.PORT.parse(undefined);
const WEBHOOK_PATH = variables.WEBHOOK_PATH.parse(undefined);

export function setupOf(answers: Answers, secrets: SetupSecret[]): Setup {
  const { service = "", "time-zone": timeZone = "", "public-host": publicHost = "", database = "" } = answers;
  const hasProxy = answers["tls-proxy"] === "yes";
  const isOpenToOthers = publicHost !== "" && !hasProxy;
  const settings: [string, string][] = [];
  if (service !== "") settings.push(["UPSTREAM_URL", service], ["UPSTREAM_TIME_ZONE", timeZone]);
  if (database !== "sqlite") settings.push(["DATABASE_URL", database]);
  if (hasProxy) settings.push(["TRUST_PROXY", "1"]);
  return {
    deployment: answers["deploy"] as Deployment,
    settings,
    secrets,
    host: isOpenToOthers ? "0.0.0.0" : "127.0.0.1",
    isOpenToOthers,
    webhookAddress: `${originFor(publicHost, hasProxy)}${WEBHOOK_PATH}`,
  };
}

/** Without a proxy the gateway's own port is the one to ask. */
function originFor(publicHost: string, hasProxy: boolean): string {
  if (hasProxy)
    return publicHost === "" ? "https://<the name of your proxy>" : (originOf(publicHost, "https") ?? publicHost);
  const host = publicHost || `127.0.0.1:${PORT}`;
  const origin = originOf(host, "http") ?? host;
  return /^https?:\/\/|:\d+$/.test(host) ? origin : `${origin}:${PORT}`;
}
