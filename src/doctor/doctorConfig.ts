// Reads the variables that the doctor needs: the service's address, its token, and the settings to compare with the findings.
import { proxyConfigOf, proxyVariables, type ProxyConfig } from "../config/proxyConfig.ts";
import { variables } from "../config/config.ts";
import { problemOf, readVariables } from "../config/readVariables.ts";
import type { CurrentSettings } from "./report.ts";

export interface DoctorConfig extends CurrentSettings {
  url: string;
  token: string;
  timeoutMs: number;
  proxy: ProxyConfig | null;
}

const rules = {
  ...proxyVariables,
  UPSTREAM_URL: variables.UPSTREAM_URL.unwrap(),
  UPSTREAM_TOKEN: variables.UPSTREAM_TOKEN.unwrap(),
  UPSTREAM_TIME_ZONE: variables.UPSTREAM_TIME_ZONE,
  UPSTREAM_TIMEOUT_MS: variables.UPSTREAM_TIMEOUT_MS,
  // Without its default: a variable that is not set cannot be wrong.
  UPSTREAM_ASSISTANT_IDS: variables.UPSTREAM_ASSISTANT_IDS.unwrap().optional(),
};

/** Ignores all other variables. An empty variable counts as not set. Throws ConfigError. */
export function readDoctorConfig(env: Readonly<Record<string, string | undefined>>): DoctorConfig {
  const data = readVariables(rules, env, (issue, texts) => {
    const name = String(issue.path[0]);
    return texts[name] === undefined ? `${name} is needed to examine the service` : problemOf(issue);
  });
  return {
    url: data.UPSTREAM_URL,
    token: data.UPSTREAM_TOKEN,
    proxy: proxyConfigOf(data),
    timeoutMs: data.UPSTREAM_TIMEOUT_MS,
    timeZone: data.UPSTREAM_TIME_ZONE ?? null,
    assistantIds: data.UPSTREAM_ASSISTANT_IDS ?? null,
  };
}
