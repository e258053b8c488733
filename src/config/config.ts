// From variables to Config. variables.ts names each variable with its rule from variableRules.ts, and crossChecks.ts compares them.
import { crossChecks, isLoopback } from "./crossChecks.ts";
import { databaseAddressesOf, type DatabaseAddresses } from "./databaseUrls.ts";
import { destinationsConfigOf, type DestinationsConfig } from "./destinationsConfig.ts";
import type { NamedConfig } from "./namedIds.ts";
import { proxyConfigOf, type ProxyConfig } from "./proxyConfig.ts";
import { ConfigError, problemOf, readEach, readTexts, type Environment } from "./readVariables.ts";
import { sandboxConfigOf, type SandboxConfig } from "./sandboxConfig.ts";
import { recordingsConfigOf, type RecordingsConfig } from "./recordingsConfig.ts";
import { secretFilesOf, type SecretName } from "./secretFiles.ts";
import { tracingConfigOf, type TracingConfig } from "./tracingConfig.ts";
import { usedVariables } from "./usedVariables.ts";
import { environmentRules, variables, type FilterName, type RangeField, type Variables } from "./variables.ts";

export { ConfigError, isLoopback, variables };

export interface Config extends DatabaseAddresses {
  host: string;
  port: number;
  metricsPort: number | null;
  /** Null: the gateway starts the sandbox and uses it. */
  upstream: UpstreamConfig | null;
  requests: RequestsConfig;
  /** For requests to the service. Null: none. */
  proxy: ProxyConfig | null;
  lists: ListsConfig;
  /** Reports an operation's requests to the service in extensions.upstream. Only with the sandbox: the load of a real service is private. */
  reportsRequests: boolean;
  webhook: WebhookConfig;
  /** True: neither a database nor a folder of recordings is created. */
  databaseMustExist: boolean;
  /** The files of the secrets that stand in files. */
  secretFiles: Readonly<Partial<Record<SecretName, string>>>;
  /** Whether PostgreSQL must have `fsync` on. "elsewhere": its storage keeps each commit by itself. */
  databaseFsync: Variables["DATABASE_FSYNC"];
  retentionDays: number;
  /** 0: bodies of deliveries are not kept. */
  rawDeliveryDays: number;
  /** Noon of a day on which the clock was right, in epoch milliseconds. Null: no operator has compared it. */
  clockConfirmedOn: number | null;
  /** `intervalMs` 0: never. */
  reconcile: Record<"intervalMs" | "lookbackMs", number>;
  importPercentOfRateLimit: number;
  taskCorrelation: "extra" | "off";
  taskDays: NonNullable<Variables["UPSTREAM_TASK_DAYS"]> | null;
  /** The assistants and lines that the operator names for forms. */
  named: NamedConfig;
  recordings: RecordingsConfig;
  destinations: DestinationsConfig;
  /** Null: there are no alerts. */
  alertsFile: string | null;
  /** Where people reach the gateway, without a slash at its end. Null: nobody said. */
  publicUrl: string | null;
  auth: AuthConfig;
  corsOrigins: readonly string[];
  introspection: boolean;
  /** Whether the graph is a subgraph of Apollo Federation 2. */
  federation: boolean;
  /** Addresses to which routers may have results of subscriptions delivered, and all below them. Empty: none. */
  callbackUrls: readonly string[];
  /** Whether the console is served at /, and the documentation at /docs. */
  pages: { console: boolean; docs: boolean };
  /** Null: /mcp is off. */
  mcp: McpConfig | null;
  /** The paths of the manifest files. Null: any document may run. */
  trustedDocuments: readonly string[] | null;
  /** Requests to the service that one viewer may cause in a minute. */
  rateLimit: number;
  /** The number of proxies in front of the gateway that write X-Forwarded-For. */
  trustedProxies: number;
  /** Requests to the service that one operation may need in the worst case. */
  queryBudget: number;
  /** Rows of the database that one viewer's operations may read in a minute. A scan of the log counts as ten. */
  logRateLimit: number;
  /** Rows of the service's lists that one viewer's operations may process in a minute, shared and cached ones included. */
  listRateLimit: number;
  /** Rows that one operation may read in the worst case. */
  logBudget: number;
  /** True: a POST of JSON goes straight to the pipeline, and operations are compiled. */
  fastPath: boolean;
  /** How long a stopping gateway goes on as before, but for /readyz. */
  drainDelaySeconds: number;
  drainSeconds: number;
  sandbox: SandboxConfig;
  /** Null: nothing is traced. */
  tracing: TracingConfig | null;
  /** Whether each answered request has a line in the log. */
  logsRequests: boolean;
  logLevel: Variables["LOG_LEVEL"];
}

/** How the gateway sends requests to the service or to the sandbox. */
export interface RequestsConfig {
  timeoutMs: number;
  assistantIds: "comma" | "repeat" | "brackets";
  /** Requests in flight at the same time. */
  concurrency: number;
  /** How long a response may be used again. 0: never. */
  cacheMs: number;
}

export interface UpstreamConfig {
  url: string;
  token: string;
  /** IANA zone of the service's wall clock. */
  timeZone: string;
}

/** How the service answers lists; the doctor finds it out. */
export interface ListsConfig {
  /** The time of a call to which a range applies. Null: not known. */
  rangeField: RangeField | null;
  /** Filters without effect. A query with one of them is refused. */
  ignores: readonly FilterName[];
}

export interface WebhookConfig {
  path: string;
  /** The accepted values of the Authorization header. Empty only with the sandbox: the gateway then generates one. */
  accepted: readonly string[];
  /** The names of the events that end a call. None: each event that shows an end. */
  eventNames: readonly string[];
}

export type AuthConfig =
  /** Every request is accepted. `byDefault`: no variable asked for it, because the sandbox runs on loopback. */
  | { kind: "open"; byDefault: boolean }
  /** At least one of the two is not null. */
  | { kind: "known"; keysFile: string | null; tokens: TokensConfig | null };

/** The identity provider whose tokens are accepted. */
export interface TokensConfig {
  jwksUrl: string;
  issuer: string;
  audience: string;
  /** Limits by issuer and group. */
  policyFile: string | null;
}

/** Tools for agents. */
export interface McpConfig {
  /** The operator's folder of tools. */
  operations: string | null;
  /** Operations that the operator's tools may have beyond reading and proposing. */
  allow: readonly string[];
}

/** Throws ConfigError with every problem. An empty variable counts as not set. What is not used can have no problem. */
export function readConfig(env: Environment): Config {
  const { config, away } = readAvailableVariables(env);
  if (away.length > 0) throw new ConfigError(away);
  return config;
}

/**
 * As readConfig, but files of secrets may be away: `away` has a problem for each, and the Config then has texts without meaning in their
 * place. If anything else is wrong, the ConfigError names them, too.
 */
export function readAvailableVariables(env: Environment): { config: Config; away: readonly string[] } {
  const read = readTexts(usedVariables(env), env);
  const parsed = environmentRules.safeParse(read.texts);
  if (parsed.success && read.problems.length === 0) {
    const problems = crossChecks(parsed.data);
    if (problems.length > 0) throw new ConfigError([...problems, ...read.away]);
    return { config: configOf(parsed.data), away: read.away };
  }
  // Variables are compared even if one of them is bad, so that one run names every problem.
  const found = [...(parsed.error?.issues ?? []).map(problemOf), ...crossChecks(readEach(variables, read))];
  const others = found.filter((problem) => !((problem.split(" ", 1)[0] ?? "") in read.unreadable));
  throw new ConfigError([...read.problems, ...others, ...read.away]);
}

function configOf(vars: Variables): Config {
  const { UPSTREAM_URL: url, UPSTREAM_TOKEN: token, UPSTREAM_TIME_ZONE: zone } = vars;
  return {
    host: vars.HOST,
    port: vars.PORT,
    metricsPort: vars.METRICS_PORT ?? null,
    upstream: url === undefined || token === undefined || zone === undefined ? null : { url, token, timeZone: zone },
    requests: {
      timeoutMs: vars.UPSTREAM_TIMEOUT_MS,
      assistantIds: vars.UPSTREAM_ASSISTANT_IDS,
      concurrency: vars.UPSTREAM_CONCURRENCY,
      cacheMs: vars.UPSTREAM_CACHE_MS,
    },
    proxy: proxyConfigOf(vars),
    lists: { rangeField: vars.UPSTREAM_RANGE_FIELD ?? null, ignores: vars.UPSTREAM_IGNORES },
    reportsRequests: url === undefined,
    webhook: { path: vars.WEBHOOK_PATH, accepted: acceptedOf(vars), eventNames: vars.EVENT_NAMES },
    ...databaseAddressesOf(vars),
    databaseMustExist: vars.DATABASE_MUST_EXIST === "true",
    secretFiles: secretFilesOf(vars),
    databaseFsync: vars.DATABASE_FSYNC,
    retentionDays: vars.EVENT_RETENTION_DAYS,
    rawDeliveryDays: vars.RAW_DELIVERY_DAYS,
    clockConfirmedOn: vars.CLOCK_CONFIRMED_ON ?? null,
    reconcile: { intervalMs: vars.RECONCILE_INTERVAL_S * 1000, lookbackMs: vars.RECONCILE_LOOKBACK_S * 1000 },
    importPercentOfRateLimit: vars.IMPORT_RATE_PERCENT,
    recordings: recordingsConfigOf(vars),
    destinations: destinationsConfigOf(vars),
    alertsFile: vars.ALERTS_FILE ?? null,
    publicUrl: vars.PUBLIC_URL?.replace(/\/+$/, "") ?? null,
    named: { assistants: vars.KNOWN_ASSISTANTS, lines: vars.KNOWN_LINES, hangUps: vars.HANGUP_OUTCOMES },
    auth: authOf(vars),
    taskCorrelation: vars.TASK_CORRELATION,
    taskDays: vars.UPSTREAM_TASK_DAYS ?? (url === undefined ? "first" : null),
    corsOrigins: vars.CORS_ORIGINS,
    introspection: vars.INTROSPECTION === undefined ? url === undefined : vars.INTROSPECTION === "on",
    federation: vars.FEDERATION === "on",
    callbackUrls: vars.SUBSCRIPTION_CALLBACK_URLS,
    pages: { console: vars.CONSOLE === "on", docs: vars.DOCS === "on" },
    mcp: vars.MCP === "on" ? { operations: vars.MCP_OPERATIONS ?? null, allow: vars.MCP_ALLOW } : null,
    trustedDocuments: vars.TRUSTED_DOCUMENTS ?? null,
    rateLimit: vars.RATE_LIMIT,
    trustedProxies: vars.TRUST_PROXY,
    queryBudget: vars.QUERY_BUDGET,
    logRateLimit: vars.LOG_RATE_LIMIT,
    listRateLimit: vars.LIST_RATE_LIMIT,
    logBudget: vars.LOG_BUDGET,
    fastPath: vars.FAST_PATH === "on",
    drainDelaySeconds: vars.DRAIN_DELAY_SECONDS,
    drainSeconds: vars.DRAIN_SECONDS,
    sandbox: sandboxConfigOf(vars),
    tracing: tracingConfigOf(vars),
    logsRequests: vars.LOG_REQUESTS === "on",
    logLevel: vars.LOG_LEVEL,
  };
}

/** The current and the previous value, each once. */
function acceptedOf(vars: Variables): string[] {
  const values = [vars.WEBHOOK_AUTHORIZATION, vars.WEBHOOK_AUTHORIZATION_PREVIOUS];
  return [...new Set(values.filter((text) => text !== undefined))];
}

function authOf({ AUTH, ...vars }: Variables): AuthConfig {
  const { API_KEYS_FILE: keysFile, JWT_JWKS_URL: jwksUrl, JWT_ISSUER: issuer, JWT_AUDIENCE: audience } = vars;
  const isComplete = jwksUrl !== undefined && issuer !== undefined && audience !== undefined;
  const tokens = isComplete ? { jwksUrl, issuer, audience, policyFile: vars.TOKEN_POLICY_FILE ?? null } : null;
  if (keysFile === undefined && tokens === null) return { kind: "open", byDefault: AUTH === undefined };
  return { kind: "known", keysFile: keysFile ?? null, tokens };
}
