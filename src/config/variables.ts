// Every environment variable with its rule and its default. A test compares this list with docs/configuration.md.
import { z } from "zod";
import { destinationsVariables } from "./destinationsConfig.ts";
import { hangUpOutcomes } from "./hangUpOutcomes.ts";
import { namedIds } from "./namedIds.ts";
import { proxyVariables } from "./proxyConfig.ts";
import { recordingsVariables } from "./recordingsConfig.ts";
import { secretFileVariables } from "./secretFiles.ts";
import { tracingVariables } from "./tracingConfig.ts";
import {
  databaseUrl,
  dateText,
  eventNames,
  fieldNames,
  filePaths,
  httpUrl,
  jwksUrl,
  namesOf,
  origins,
  secretText,
  timeZone,
  urlPrefixes,
  webhookPath,
  wholeNumber,
} from "./variableRules.ts";

/** The filters of lists that a service may ignore, by their names in the graph (UPSTREAM_IGNORES). */
export const filterNames = ["taskIds", "direction", "phone", "assistantIds", "kind"] as const;
export type FilterName = (typeof filterNames)[number];
/** The times of a call to which a range may apply (UPSTREAM_RANGE_FIELD). */
const rangeFields = ["startAt", "answerAt", "endAt"] as const;
export type RangeField = (typeof rangeFields)[number];
/** On which days a task calls: on its start date only, or on each day from then on (UPSTREAM_TASK_DAYS). */
const taskDays = ["first", "daily"] as const;
export type TaskDays = (typeof taskDays)[number];

const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export const MAX_QUERY_BUDGET = 1_000_000;
const onOrOff = z.enum(["on", "off"], "must be on or off");

/** The variables of the sandbox, which can also run alone. */
export const sandboxVariables = {
  SANDBOX_PORT: wholeNumber(0, 65_535).default(4010),
  SANDBOX_TOKEN: secretText.optional(),
  SANDBOX_TIME_ZONE: timeZone.default("Asia/Shanghai"),
  SANDBOX_WEBHOOK_URL: httpUrl.optional(),
  SANDBOX_WEBHOOK_AUTHORIZATION: secretText.optional(),
  SANDBOX_SPEED: wholeNumber(1, 10_000).default(1),
  SANDBOX_SEED: wholeNumber(0, 4_294_967_295).default(1),
} satisfies Record<string, z.ZodType>;

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
  UPSTREAM_TASK_DAYS: z.enum(taskDays, "must be first or daily").optional(),
  WEBHOOK_AUTHORIZATION: secretText.optional(),
  WEBHOOK_AUTHORIZATION_PREVIOUS: secretText.optional(),
  WEBHOOK_PATH: webhookPath.default("/calllog"),
  EVENT_NAMES: eventNames.default([]),
  DATABASE_URL: databaseUrl.default("file:./data/switchboard.db"),
  PGPASSWORD: z.string().optional(),
  DATABASE_MUST_EXIST: z.enum(["true", "false"], "must be true or false").default("false"),
  DATABASE_FSYNC: z.enum(["required", "elsewhere"], "must be required or elsewhere").default("required"),
  EVENT_RETENTION_DAYS: wholeNumber(1, 36_500).default(90),
  RAW_DELIVERY_DAYS: wholeNumber(0, 36_500).default(7),
  CLOCK_CONFIRMED_ON: dateText.optional(),
  RECONCILE_INTERVAL_S: wholeNumber(0, 86_400).default(60),
  RECONCILE_LOOKBACK_S: wholeNumber(0, 2_592_000).default(3600),
  IMPORT_RATE_PERCENT: wholeNumber(1, 100).default(10),
  ...recordingsVariables,
  ...destinationsVariables,
  ALERTS_FILE: z.string().optional(),
  PUBLIC_URL: httpUrl.optional(),
  AUTH: z.literal("none", "can only be none; leave it out and set API_KEYS_FILE or JWT_JWKS_URL instead").optional(),
  TASK_CORRELATION: z.enum(["extra", "off"], "must be extra or off").default("extra"),
  KNOWN_ASSISTANTS: namedIds.default([]),
  KNOWN_LINES: namedIds.default([]),
  HANGUP_OUTCOMES: hangUpOutcomes.default([]),
  API_KEYS_FILE: z.string().optional(),
  JWT_JWKS_URL: jwksUrl.optional(),
  JWT_ISSUER: z.string().optional(),
  JWT_AUDIENCE: z.string().optional(),
  TOKEN_POLICY_FILE: z.string().optional(),
  CORS_ORIGINS: origins.default([]),
  TRUSTED_DOCUMENTS: filePaths.optional(),
  RATE_LIMIT: wholeNumber(1, 1_000_000_000).default(6000),
  TRUST_PROXY: wholeNumber(0, 100).default(0),
  QUERY_BUDGET: wholeNumber(1, MAX_QUERY_BUDGET).default(500),
  LOG_RATE_LIMIT: wholeNumber(1, 1_000_000_000).default(100_000),
  LIST_RATE_LIMIT: wholeNumber(100, 1_000_000_000).default(3_000_000),
  LOG_BUDGET: wholeNumber(1, 1_000_000).default(2500),
  INTROSPECTION: onOrOff.optional(),
  FEDERATION: onOrOff.default("off"),
  SUBSCRIPTION_CALLBACK_URLS: urlPrefixes.default([]),
  CONSOLE: onOrOff.default("on"),
  DOCS: onOrOff.default("off"),
  MCP: onOrOff.default("off"),
  MCP_OPERATIONS: z.string().optional(),
  MCP_ALLOW: fieldNames.default([]),
  FAST_PATH: onOrOff.default("on"),
  DRAIN_DELAY_SECONDS: wholeNumber(0, 3600).default(0),
  DRAIN_SECONDS: wholeNumber(0, 3600).default(20),
  ...sandboxVariables,
  ...tracingVariables,
  ...secretFileVariables,
  ...proxyVariables,
  LOG_REQUESTS: onOrOff.default("off"),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(", ")}`).default("info"),
} satisfies Record<string, z.ZodType>;

export const environmentRules = z.object(variables);
export type Variables = z.output<typeof environmentRules>;
