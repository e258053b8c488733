// A value for each variable, and the variables that it is used with.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { variables } from "../../src/config/config.ts";
import { upstream } from "./environment.ts";

type Name = keyof typeof variables;
type Environment = Readonly<Record<string, string>>;

const folder = mkdtempSync(join(tmpdir(), "switchboard-samples-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** The path of a file with this content, with the line break that editors add. */
export function fileOf(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, `${content}\n`);
  return file;
}

const withUpstream = { ...upstream, AUTH: "none" };
const withTokens = { JWT_JWKS_URL: "https://id.example/jwks", JWT_ISSUER: "https://id.example/", JWT_AUDIENCE: "us" };
const withBucket = {
  RECORDINGS_S3_URL: "https://s3.example/bucket",
  RECORDINGS_S3_ACCESS_KEY_ID: "id",
  RECORDINGS_S3_SECRET_ACCESS_KEY: "secret",
};
const withCollector = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318" };

export const samples: Record<Name, string> = {
  HOST: "localhost",
  PORT: "4100",
  METRICS_PORT: "9464",
  UPSTREAM_URL: "https://calls.example/v1",
  UPSTREAM_TOKEN: "token-1",
  UPSTREAM_TIME_ZONE: "Europe/Berlin",
  UPSTREAM_TIMEOUT_MS: "5000",
  UPSTREAM_CONCURRENCY: "80",
  UPSTREAM_CACHE_MS: "10",
  UPSTREAM_ASSISTANT_IDS: "repeat",
  UPSTREAM_RANGE_FIELD: "endAt",
  UPSTREAM_IGNORES: "phone,kind",
  UPSTREAM_TASK_DAYS: "daily",
  WEBHOOK_AUTHORIZATION: "Bearer abc",
  WEBHOOK_AUTHORIZATION_PREVIOUS: "Bearer old",
  WEBHOOK_PATH: "/hooks/calls",
  EVENT_NAMES: "call_ended,call.ended",
  DATABASE_URL: "file:/srv/calls.db",
  DATABASE_MUST_EXIST: "true",
  CLOCK_CONFIRMED_ON: "2026-11-25",
  DATABASE_FSYNC: "elsewhere",
  EVENT_RETENTION_DAYS: "30",
  HANGUP_OUTCOMES: "line dead=FAILED",
  RAW_DELIVERY_DAYS: "30",
  RECONCILE_INTERVAL_S: "50",
  RECONCILE_LOOKBACK_S: "60",
  IMPORT_RATE_PERCENT: "20",
  RECORDINGS_DIR: "/srv/recordings",
  RECORDING_HOSTS: "files.example",
  DESTINATIONS_FILE: "destinations.json",
  ALERTS_FILE: "alerts.json",
  PUBLIC_URL: "https://calls.example.com",
  DESTINATION_HOSTS: "crm.example",
  RECORDINGS_S3_URL: "https://s3.example/other",
  RECORDINGS_S3_ADDRESSING: "path",
  RECORDINGS_S3_REGION: "eu-central-1",
  RECORDINGS_S3_ACCESS_KEY_ID: "id-1",
  RECORDINGS_S3_SECRET_ACCESS_KEY: "secret-1",
  RECORDINGS_S3_SESSION_TOKEN: "session-1",
  AUTH: "none",
  TASK_CORRELATION: "off",
  KNOWN_ASSISTANTS: "11=Reminders",
  KNOWN_LINES: "60=Berlin",
  API_KEYS_FILE: "keys.json",
  JWT_JWKS_URL: "https://id.example/keys",
  JWT_ISSUER: "https://id.example/a",
  JWT_AUDIENCE: "calls",
  TOKEN_POLICY_FILE: "policies.json",
  CORS_ORIGINS: "https://app.example",
  TRUSTED_DOCUMENTS: "documents.json",
  RATE_LIMIT: "100",
  TRUST_PROXY: "10",
  QUERY_BUDGET: "100",
  LOG_RATE_LIMIT: "90000",
  LIST_RATE_LIMIT: "95000",
  LOG_BUDGET: "200",
  INTROSPECTION: "off",
  FEDERATION: "on",
  SUBSCRIPTION_CALLBACK_URLS: "https://router.example/callback",
  CONSOLE: "off",
  DOCS: "on",
  MCP: "on",
  MCP_OPERATIONS: "/srv/tools",
  MCP_ALLOW: "declineTask",
  FAST_PATH: "off",
  DRAIN_DELAY_SECONDS: "15",
  DRAIN_SECONDS: "10",
  SANDBOX_PORT: "4011",
  SANDBOX_TOKEN: "sandbox-token-1",
  SANDBOX_TIME_ZONE: "Europe/Berlin",
  SANDBOX_WEBHOOK_URL: "http://127.0.0.1:4000/calllog",
  SANDBOX_WEBHOOK_AUTHORIZATION: "value",
  SANDBOX_SPEED: "20",
  SANDBOX_SEED: "20",
  OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318",
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  OTEL_EXPORTER_OTLP_HEADERS: "authorization=abc",
  OTEL_SDK_DISABLED: "true",
  OTEL_TRACES_SAMPLER: "always_off",
  OTEL_TRACES_SAMPLER_ARG: "0.5",
  OTEL_BSP_MAX_QUEUE_SIZE: "10",
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "50",
  OTEL_BSP_SCHEDULE_DELAY: "100",
  OTEL_SERVICE_NAME: "calls",
  OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test",
  OTEL_EXPORTER_OTLP_TIMEOUT: "1000",
  OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
  OTEL_EXPORTER_OTLP_CERTIFICATE: "/srv/ca.pem",
  UPSTREAM_TOKEN_FILE: fileOf("token", "token-2"),
  WEBHOOK_AUTHORIZATION_FILE: fileOf("authorization", "Bearer abc"),
  WEBHOOK_AUTHORIZATION_PREVIOUS_FILE: fileOf("previous", "Bearer old"),
  PGPASSWORD: "words",
  PGPASSWORD_FILE: fileOf("password", "words-2"),
  DATABASE_URL_FILE: fileOf("database", "postgres://user:word@db.example/calls"),
  RECORDINGS_S3_ACCESS_KEY_ID_FILE: fileOf("id", "id-2"),
  RECORDINGS_S3_SECRET_ACCESS_KEY_FILE: fileOf("secret", "secret-2"),
  RECORDINGS_S3_SESSION_TOKEN_FILE: fileOf("session", "session-2"),
  OTEL_EXPORTER_OTLP_HEADERS_FILE: fileOf("headers", "authorization=abc"),
  HTTP_PROXY_FILE: fileOf("http-proxy", "http://user:word@proxy.example:3128"),
  HTTPS_PROXY_FILE: fileOf("https-proxy", "http://user:word@proxy.example:3128"),
  SANDBOX_TOKEN_FILE: fileOf("sandbox-token", "sandbox-token-2"),
  SANDBOX_WEBHOOK_AUTHORIZATION_FILE: fileOf("sandbox-authorization", "value"),
  HTTP_PROXY: "http://proxy.example:3128",
  HTTPS_PROXY: "http://user:word@proxy.example:3128",
  NO_PROXY: "localhost,.example",
  LOG_REQUESTS: "on",
  LOG_LEVEL: "warn",
};

/** The variables that a variable needs beside it to be used. */
export function companionsOf(name: string): Environment {
  if (name === "AUTH" || name === "API_KEYS_FILE") return upstream;
  if (/^(HTTPS?|NO)_PROXY(_FILE)?$/.test(name)) return withUpstream;
  if (name.startsWith("UPSTREAM_") || name.startsWith("WEBHOOK_AUTH")) return without(withUpstream, name);
  if (name.startsWith("JWT_") || name === "TOKEN_POLICY_FILE") return withTokens;
  if (name.startsWith("RECORDINGS_S3")) return without(withBucket, name);
  if (name.startsWith("OTEL_")) return withCollector;
  if (name.startsWith("MCP_")) return { MCP: "on" };
  if (name.startsWith("PGPASSWORD")) return { DATABASE_URL: "postgres://user@db.example/calls" };
  return name === "SUBSCRIPTION_CALLBACK_URLS" ? { FEDERATION: "on" } : {};
}

/** A variable and its file exclude each other. */
function without(env: Environment, name: string): Environment {
  return Object.fromEntries(Object.entries(env).filter(([each]) => `${each}_FILE` !== name));
}
