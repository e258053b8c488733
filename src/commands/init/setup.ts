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
  /** What the proxy forwards to. Null: there is none in front. */
  behindProxy: string | null;
}

export interface SetupSecret {
  variable: string;
  /** Such as upstream-token. */
  name: string;
  /** Its file: below the folder, or the one that was named. */
  file: string;
}

export const KEYS_FILE = "keys.json";

/** No question asks for these, so they stay as they were. In a container the port is the image's. */
const KEPT = {
  none: ["PORT", "WEBHOOK_PATH"],
  systemd: ["PORT", "WEBHOOK_PATH"],
  compose: ["WEBHOOK_PATH"],
  kubernetes: ["WEBHOOK_PATH"],
} as const;

/** `before`: the settings of the .env that is replaced, by name. */
export function setupOf(
  answers: Answers,
  secrets: SetupSecret[],
  before: Readonly<Record<string, string>> = {},
): Setup {
  const { service = "", "time-zone": timeZone = "", "public-host": publicHost = "", database = "" } = answers;
  const hasProxy = answers["tls-proxy"] === "yes";
  const isOpenToOthers = publicHost !== "" && !hasProxy;
  const settings: [string, string][] = [];
  if (service !== "") settings.push(["UPSTREAM_URL", service], ["UPSTREAM_TIME_ZONE", timeZone]);
  if (database !== "sqlite") settings.push(["DATABASE_URL", database]);
  if (hasProxy) settings.push(["TRUST_PROXY", "1"]);
  const deployment = answers["deploy"] as Deployment;
  const kept = KEPT[deployment].filter((name) => name in before && variables[name].safeParse(before[name]).success);
  for (const name of kept) settings.push([name, before[name] ?? ""]);
  const own = Object.fromEntries(settings);
  const port = variables.PORT.parse(own["PORT"]);
  return {
    deployment,
    settings,
    secrets,
    host: isOpenToOthers ? "0.0.0.0" : "127.0.0.1",
    isOpenToOthers,
    webhookAddress: `${originFor(publicHost, hasProxy, port)}${variables.WEBHOOK_PATH.parse(own["WEBHOOK_PATH"])}`,
    behindProxy: hasProxy ? addressBehindProxy(deployment, port) : null,
  };
}

/** In a container the port is the image's. */
function addressBehindProxy(deployment: Deployment, port: number): string {
  if (deployment === "kubernetes") return "the Service of switchboard.yaml";
  return `127.0.0.1:${deployment === "compose" ? 4000 : port}`;
}

/** Without a proxy the gateway's own port is the one to ask. */
function originFor(publicHost: string, hasProxy: boolean, port: number): string {
  if (hasProxy)
    return publicHost === "" ? "https://<the name of your proxy>" : (originOf(publicHost, "https") ?? publicHost);
  const host = publicHost || `127.0.0.1:${port}`;
  const origin = originOf(host, "http") ?? host;
  return /^https?:\/\/|:\d+$/.test(host) ? origin : `${origin}:${port}`;
}
