// Reads the whole configuration: the variables, and the files of keys and policies that they name.
import { readApiKeys } from "../auth/apiKeys.ts";
import { readTokenPolicies } from "../auth/tokenPolicies.ts";
import { ConfigError, readConfig, type Config } from "../config/config.ts";
import { proxySecrets } from "../config/proxyConfig.ts";
import { readTexts, type Environment } from "../config/readVariables.ts";
import { FinalError } from "../util/start/finalError.ts";

const listFiles = { API_KEYS_FILE: readApiKeys, TOKEN_POLICY_FILE: readTokenPolicies };

export interface WholeConfigOptions {
  /** Whether a file of keys or policies may be away: it is a problem only beside others, because the start waits for it. */
  filesMayBeAway: boolean;
}

/** Throws one ConfigError with every problem, including those of the files of keys and policies. */
export async function readWholeConfig(
  env: Environment,
  { filesMayBeAway }: WholeConfigOptions = { filesMayBeAway: false },
): Promise<Config> {
  const problems: string[] = [];
  const away: string[] = [];
  const { texts } = readTexts(Object.keys(listFiles), env);
  for (const [name, read] of Object.entries(listFiles)) {
    const file = texts[name];
    const add = (error: Error) =>
      (filesMayBeAway && !(error instanceof FinalError) ? away : problems).push(`${name} ${error.message}`);
    if (file) await read(file).catch(add);
  }
  try {
    const config = readConfig(env);
    if (problems.length === 0) return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.unshift(...error.problems);
  }
  throw new ConfigError([...problems, ...away]);
}

/** Every text of the configuration that must never be written. */
export function secretsOf({ upstream, sandbox, webhook, recordings, tracing, proxy }: Config): string[] {
  const headers = (tracing?.headers ?? "").split(",").map((pair) => pair.slice(pair.indexOf("=") + 1).trim());
  const secrets = [
    upstream?.token ?? sandbox.token,
    ...webhook.accepted,
    recordings.bucket?.secretAccessKey,
    ...proxySecrets(proxy),
    ...headers,
    ...headers.map(decoded),
  ];
  return secrets.filter((secret) => typeof secret === "string" && secret !== "") as string[];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
