// The environment, read once: a whole Config, or one error that names every bad variable and never a value.
import { z } from "zod";
import { filterNames, rangeFields, type ListsConfig } from "./listConfig.ts";
import { ConfigError, EXIT_CONFIG } from "./configError.ts";
import {
  authOf,
  claim,
  databaseUrl,
  givenOf,
  httpUrl,
  isLoopback,
  jwksUrl,
  namesOf,
  origins,
  portConflicts,
  secretText,
  timeZone,
  webhookPath,
  wholeNumber,
  type AuthConfig,
} from "./configRules.ts";
import {
  recordingsConfigOf,
  recordingsConflicts,
  recordingsVariables,
  type RecordingsConfig,
} from "./recordingsConfig.ts";
import { sandboxConfigOf, sandboxVariables, type SandboxConfig } from "./sandboxConfig.ts";

export { ConfigError, EXIT_CONFIG, isLoopback };
export type { AuthConfig };

export interface Config {
  host: string;
  port: number;
  metricsPort: number | null;
  /** Null: the sandbox is started and used. */
  upstream: UpstreamConfig | null;
  requests: RequestsConfig;
  lists: ListsConfig;
  /** Whether answers tell what they cost in requests (extensions.upstream): with the sandbox, whose load is nobody's secret. */
  reportsRequests: boolean;
  webhook: WebhookConfig;
  databaseUrl: string;
  retentionDays: number;
  reconcile: ReconcileConfig;
  taskCorrelation: "extra" | "off";
  recordings: RecordingsConfig;
  auth: AuthConfig;
  corsOrigins: readonly string[];
  introspection: boolean;
  /** The manifest's file; null: any document may run. */
  trustedDocuments: string | null;
  /** Requests to the service that one viewer may cause in a minute. */
  rateLimit: number;
  /** How many proxies in front write X-Forwarded-For. */
  trustedProxies: number;
  /** Requests to the service that one operation may need at worst. */
  queryBudget: number;
  /** Rows of the database that one viewer's operations may read in a minute, a scan of the log being ten. */
  logRateLimit: number;
  /** The same, of one operation at worst. */
  logBudget: number;
  /** Whether a POST of JSON goes straight to the pipeline, and operations are compiled. */
  fastPath: boolean;
  drainSeconds: number;
  sandbox: SandboxConfig;
  logLevel: LogLevel;
}

/** How requests are made, to the service or to the sandbox. */
export interface RequestsConfig {
  timeoutMs: number;
  assistantIds: "comma" | "repeat" | "brackets";
  /** At once. */
  concurrency: number;
  /** How long an answer may be used again; 0: never. */
  cacheMs: number;
}

export interface UpstreamConfig {
  url: string;
  token: string;
  timeZone: string;
}

export interface WebhookConfig {
  path: string;
  /** The accepted values of the Authorization header; empty only beside the sandbox, which is given one of its own. */
  accepted: readonly string[];
}

export interface ReconcileConfig {
  /** 0: never. */
  intervalMs: number;
  lookbackMs: number;
}

const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Every variable there is, with its rule and its default. docs/configuration.md is held to this list by a test. */
export const variables = {
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: wholeNumber(0, 65_535).default(4000),
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
  UPSTREAM_URL: httpUrl.optional(),
  UPSTREAM_TOKEN: secretText.optional(),
  UPSTREAM_TIME_ZONE: timeZone.optional(),
  UPSTREAM_TIMEOUT_MS: wholeNumber(1, 600_000).default(10_000),
  UPSTREAM_CONCURRENCY: wholeNumber(1, 10_000).default(256),
  UPSTREAM_CACHE_MS: wholeNumber(0, 3_600_000).default(1000),
  UPSTREAM_ASSISTANT_IDS: z.enum(["comma", "repeat", "brackets"], "must be comma, repeat or brackets").default("comma"),
  UPSTREAM_RANGE_FIELD: z.enum(rangeFields, `must be one of ${rangeFields.join(", ")}`).optional(),
  UPSTREAM_IGNORES: namesOf(filterNames).default([]),
  WEBHOOK_AUTHORIZATION: secretText.optional(),
  WEBHOOK_AUTHORIZATION_PREVIOUS: secretText.optional(),
  WEBHOOK_PATH: webhookPath.default("/calllog"),
  DATABASE_URL: databaseUrl.default("file:./data/switchboard.db"),
  EVENT_RETENTION_DAYS: wholeNumber(1, 36_500).default(90),
  RECONCILE_INTERVAL_S: wholeNumber(0, 86_400).default(60),
  RECONCILE_LOOKBACK_S: wholeNumber(0, 2_592_000).default(3600),
  ...recordingsVariables,
  AUTH: z.literal("none", "can only be none; leave it out and set API_KEYS_FILE or JWT_JWKS_URL instead").optional(),
  TASK_CORRELATION: z.enum(["extra", "off"], "must be extra or off").default("extra"),
  API_KEYS_FILE: z.string().optional(),
  JWT_JWKS_URL: jwksUrl.optional(),
  JWT_ISSUER: claim.optional(),
  JWT_AUDIENCE: claim.optional(),
  CORS_ORIGINS: origins.default([]),
  TRUSTED_DOCUMENTS: z.string().optional(),
  RATE_LIMIT: wholeNumber(1, 1_000_000_000).default(6000),
  TRUST_PROXY: wholeNumber(0, 100).default(0),
  QUERY_BUDGET: wholeNumber(1, 1_000_000).default(500),
  LOG_RATE_LIMIT: wholeNumber(1, 1_000_000_000).default(100_000),
  LOG_BUDGET: wholeNumber(1, 1_000_000).default(2500),
  INTROSPECTION: z.enum(["on", "off"], "must be on or off").optional(),
  FAST_PATH: z.enum(["on", "off"], "must be on or off").default("on"),
  DRAIN_SECONDS: wholeNumber(0, 3600).default(20),
  ...sandboxVariables,
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(", ")}`).default("info"),
} satisfies Record<string, z.ZodType>;

const environment = z.object(variables);
type Variables = z.output<typeof environment>;

/** Throws ConfigError. An empty variable counts as one that is not set. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = givenOf(env);
  const parsed = environment.safeParse(given);
  const problems = parsed.success
    ? conflicts(parsed.data)
    : parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
  // What stands between variables is told too when a variable is bad by itself: one run names everything.
  if (!parsed.success) problems.push(...conflicts(readable(given)));
  if (!parsed.success || problems.length > 0) throw new ConfigError([...new Set(problems)]);
  return configOf(parsed.data);
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
    lists: { rangeField: vars.UPSTREAM_RANGE_FIELD ?? null, ignores: vars.UPSTREAM_IGNORES },
    reportsRequests: url === undefined,
    webhook: {
      path: vars.WEBHOOK_PATH,
      accepted: acceptedOf(vars),
    },
    databaseUrl: vars.DATABASE_URL,
    retentionDays: vars.EVENT_RETENTION_DAYS,
    reconcile: { intervalMs: vars.RECONCILE_INTERVAL_S * 1000, lookbackMs: vars.RECONCILE_LOOKBACK_S * 1000 },
    recordings: recordingsConfigOf(vars),
    auth: authOf(vars),
    taskCorrelation: vars.TASK_CORRELATION,
    corsOrigins: vars.CORS_ORIGINS,
    introspection: vars.INTROSPECTION === undefined ? url === undefined : vars.INTROSPECTION === "on",
    trustedDocuments: vars.TRUSTED_DOCUMENTS ?? null,
    rateLimit: vars.RATE_LIMIT,
    trustedProxies: vars.TRUST_PROXY,
    queryBudget: vars.QUERY_BUDGET,
    logRateLimit: vars.LOG_RATE_LIMIT,
    logBudget: vars.LOG_BUDGET,
    fastPath: vars.FAST_PATH === "on",
    drainSeconds: vars.DRAIN_SECONDS,
    sandbox: sandboxConfigOf(vars),
    logLevel: vars.LOG_LEVEL,
  };
}

/** Each once: a value that is still set as the previous one too is the current one. */
function acceptedOf(vars: Variables): string[] {
  const values = [vars.WEBHOOK_AUTHORIZATION, vars.WEBHOOK_AUTHORIZATION_PREVIOUS];
  return [...new Set(values.filter((text) => text !== undefined))];
}

/** What one variable asks of another. */
function conflicts(vars: Partial<Variables>): string[] {
  const problems: string[] = [...recordingsConflicts(vars), ...portConflicts(vars)];
  if (vars.LOG_BUDGET !== undefined && vars.LOG_RATE_LIMIT !== undefined && vars.LOG_BUDGET > vars.LOG_RATE_LIMIT)
    problems.push("LOG_BUDGET must not be above LOG_RATE_LIMIT: one operation could need more than a minute gives");
  const needed = ["UPSTREAM_TOKEN", "UPSTREAM_TIME_ZONE", "WEBHOOK_AUTHORIZATION"] as const;
  if (vars.UPSTREAM_URL !== undefined) {
    const missing = needed.filter((name) => vars[name] === undefined);
    problems.push(...missing.map((name) => `${name} is needed with UPSTREAM_URL`));
  }
  if (vars.UPSTREAM_URL === undefined && vars.UPSTREAM_TOKEN !== undefined) {
    problems.push("UPSTREAM_URL is needed with UPSTREAM_TOKEN");
  }
  const ofTokens = ["JWT_JWKS_URL", "JWT_ISSUER", "JWT_AUDIENCE"] as const;
  const given = ofTokens.filter((name) => vars[name] !== undefined);
  if (given.length > 0) {
    const missing = ofTokens.filter((name) => vars[name] === undefined);
    problems.push(...missing.map((name) => `${name} is needed with ${given.join(" and ")}`));
  }
  const authorities = (["API_KEYS_FILE", "JWT_JWKS_URL"] as const).filter((name) => vars[name] !== undefined);
  if (vars.AUTH !== undefined) problems.push(...authorities.map((name) => `AUTH and ${name} exclude each other`));
  if (vars.AUTH === undefined && authorities.length === 0) {
    if (vars.UPSTREAM_URL !== undefined)
      problems.push("API_KEYS_FILE or JWT_JWKS_URL is needed with UPSTREAM_URL, or the word AUTH=none");
    else if (!isLoopback(vars.HOST ?? ""))
      problems.push("API_KEYS_FILE or JWT_JWKS_URL (or AUTH=none) is needed where HOST is not loopback");
  }
  return problems;
}

/** The variables that can be read by themselves; a bad one counts as given, for it was. */
function readable(given: Record<string, string>): Partial<Variables> {
  const entries = Object.entries(variables).flatMap(([name, rule]): [string, unknown][] => {
    const value = given[name];
    const parsed = rule.safeParse(value);
    if (parsed.success) return [[name, parsed.data]];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}
