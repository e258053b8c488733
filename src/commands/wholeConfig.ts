// Reads the whole configuration: the variables, and the files of keys, policies and destinations that they name.
import { readAlertRules } from "../alerts/alertFile.ts";
import { readApiKeys } from "../auth/apiKeys.ts";
import { readTokenPolicies } from "../auth/tokenPolicies.ts";
import { ConfigError, readAvailableVariables, type Config } from "../config/config.ts";
import { databasePasswords } from "../config/databaseUrls.ts";
import { proxySecrets } from "../config/proxyConfig.ts";
import { headerSecrets } from "../config/tracingConfig.ts";
import { readTexts, type Environment } from "../config/readVariables.ts";
import { isShortSecret } from "../logger.ts";
import { hostList } from "../config/hostList.ts";
import { readDestinations } from "../destinations/destinationFile.ts";
import { createDestinationRules, destinationHosts } from "../gateway/destinationRules.ts";
import { schema } from "../schema/schema.ts";
import { FinalError } from "../util/start/finalError.ts";

type Texts = Readonly<Record<string, string>>;

const listFiles: Record<string, (file: string, texts: Texts) => Promise<unknown>> = {
  ALERTS_FILE: readAlertRules,
  API_KEYS_FILE: readApiKeys,
  TOKEN_POLICY_FILE: (file, texts) => readTokenPolicies(file, texts["JWT_ISSUER"]),
  DESTINATIONS_FILE: (file, texts) => {
    const hosts = hostList.optional().safeParse(texts["DESTINATION_HOSTS"]).data ?? null;
    const rules = { schema, hosts: destinationHosts({ file, hosts }), keepsBodies: texts["RAW_DELIVERY_DAYS"] !== "0" };
    const own = createDestinationRules({ ...rules, findTrusted: null, queryBudget: Infinity, logBudget: Infinity });
    // `switchboard check` looks at the documents when the other variables are known.
    return readDestinations(file, { ...own, documentFault: () => null });
  },
};

/** A configuration of which some files cannot be read now. */
export interface AvailableConfig {
  /** With texts without meaning in the place of secrets whose files are away. */
  config: Config;
  /** A problem for each of those files. */
  secretsAway: readonly string[];
  /** A problem for each file of keys or policies that is away. */
  listsAway: readonly string[];
}

/** Throws one ConfigError with every problem where something is wrong that no waiting mends, also in files of keys and policies. */
export async function readAvailableConfig(env: Environment): Promise<AvailableConfig> {
  const problems: string[] = [];
  const listsAway: string[] = [];
  const { texts } = readTexts([...Object.keys(listFiles), "JWT_ISSUER", "DESTINATION_HOSTS", "RAW_DELIVERY_DAYS"], env);
  for (const [name, read] of Object.entries(listFiles)) {
    const file = texts[name];
    const add = (error: Error) => (error instanceof FinalError ? problems : listsAway).push(`${name} ${error.message}`);
    if (file) await read(file, texts).catch(add);
  }
  try {
    const { config, away } = readAvailableVariables(env);
    if (problems.length === 0) return { config, secretsAway: away, listsAway };
    problems.unshift(...away);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.unshift(...error.problems);
  }
  throw new ConfigError([...problems, ...listsAway]);
}

/** As readAvailableConfig, and a file that is away is a problem, too. */
export async function readWholeConfig(env: Environment): Promise<Config> {
  const { config, secretsAway, listsAway } = await readAvailableConfig(env);
  const away = [...secretsAway, ...listsAway];
  if (away.length > 0) throw new ConfigError(away);
  return config;
}

/** A warning for each secret that can be guessed. The sandbox's own are not asked for. */
export function shortSecretWarnings({ upstream, webhook }: Config): string[] {
  const isShort = {
    UPSTREAM_TOKEN: upstream?.token ?? "",
    WEBHOOK_AUTHORIZATION: webhook.accepted.find(isShortSecret) ?? "",
  };
  return Object.entries(isShort).flatMap(([name, secret]) =>
    secret !== "" && isShortSecret(secret)
      ? `${name} has a secret of fewer than 8 characters, which can be guessed; inside of longer texts the log does not mask it`
      : [],
  );
}

/** Every text of the configuration, and of what the driver of PostgreSQL reads itself, that must never be written. */
export function secretsOf(config: Config, env: Environment): string[] {
  const { upstream, sandbox, webhook, databaseUrl, recordings, tracing, proxy } = config;
  const secrets = [
    upstream?.token ?? sandbox.token,
    ...webhook.accepted,
    ...databasePasswords(databaseUrl, env["PGPASSWORD"]),
    recordings.bucket?.secretAccessKey,
    recordings.bucket?.sessionToken,
    ...proxySecrets(proxy),
    ...headerSecrets(tracing?.headers ?? ""),
  ];
  return secrets.filter((secret) => typeof secret === "string" && secret !== "") as string[];
}
