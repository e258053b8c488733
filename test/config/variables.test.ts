import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { upstream } from "./environment.ts";

describe("readConfig", () => {
  it("reads the variables of the service", () => {
    const env = {
      ...upstream,
      AUTH: "none",
      UPSTREAM_TIMEOUT_MS: "1",
      UPSTREAM_ASSISTANT_IDS: "brackets",
      UPSTREAM_CONCURRENCY: "2",
      UPSTREAM_CACHE_MS: "0",
      UPSTREAM_RANGE_FIELD: "endAt",
      UPSTREAM_IGNORES: "kind, phone",
    };
    expect(readConfig(env)).toMatchObject({
      upstream: { url: "https://calls.example/base", token: "token", timeZone: "Asia/Shanghai" },
      requests: { timeoutMs: 1, assistantIds: "brackets", concurrency: 2, cacheMs: 0 },
      lists: { rangeField: "endAt", ignores: ["kind", "phone"] },
      reportsRequests: false,
      webhook: { accepted: ["value"] },
      auth: { kind: "open", byDefault: false },
      introspection: false,
    });
    expect(readConfig({ ...upstream, AUTH: "none" }).requests).toEqual({
      timeoutMs: 10_000,
      assistantIds: "comma",
      concurrency: 256,
      cacheMs: 1000,
    });
    expect(readConfig({ UPSTREAM_TIMEOUT_MS: "5" }).requests.timeoutMs).toBe(5);
  });

  it("reads the variables of the gateway", () => {
    const env = {
      HOST: "0.0.0.0",
      PORT: "0",
      WEBHOOK_AUTHORIZATION: "new",
      WEBHOOK_AUTHORIZATION_PREVIOUS: "old value",
      DATABASE_URL: "postgres://user:word@database.example/switchboard",
      EVENT_RETENTION_DAYS: "30",
      RAW_DELIVERY_DAYS: "0",
      RECONCILE_INTERVAL_S: "0",
      RECONCILE_LOOKBACK_S: "7200",
      TASK_CORRELATION: "off",
      KNOWN_ASSISTANTS: "11=Reminders, 9007199254740993123 = Survey = long",
      KNOWN_LINES: "60=Berlin",
      API_KEYS_FILE: "keys.json",
      CORS_ORIGINS: "https://app.example, http://localhost:5173",
      TRUST_PROXY: "2",
      RATE_LIMIT: "7",
      TRUSTED_DOCUMENTS: "documents.json, console/dist/documents.json",
      QUERY_BUDGET: "50",
      LOG_RATE_LIMIT: "90",
      LIST_RATE_LIMIT: "95000",
      LOG_BUDGET: "60",
      INTROSPECTION: "off",
      FEDERATION: "off",
      CONSOLE: "off",
      DOCS: "on",
      FAST_PATH: "off",
      DRAIN_SECONDS: "0",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318/",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.01",
      OTEL_BSP_MAX_QUEUE_SIZE: "100",
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "10",
      OTEL_BSP_SCHEDULE_DELAY: "1000",
      LOG_REQUESTS: "on",
      LOG_LEVEL: "silent",
    };
    expect(readConfig(env)).toMatchObject({
      host: "0.0.0.0",
      port: 0,
      webhook: { accepted: ["new", "old value"] },
      databaseUrl: "postgres://user:word@database.example/switchboard",
      retentionDays: 30,
      rawDeliveryDays: 0,
      reconcile: { intervalMs: 0, lookbackMs: 7_200_000 },
      auth: { kind: "known", keysFile: "keys.json", tokens: null },
      pages: { console: false, docs: true },
      taskCorrelation: "off",
      named: {
        assistants: [
          { id: "11", name: "Reminders" },
          { id: "9007199254740993123", name: "Survey = long" },
        ],
        lines: [{ id: "60", name: "Berlin" }],
      },
      corsOrigins: ["https://app.example", "http://localhost:5173"],
      trustedProxies: 2,
      rateLimit: 7,
      trustedDocuments: ["documents.json", "console/dist/documents.json"],
      queryBudget: 50,
      logRateLimit: 90,
      listRateLimit: 95_000,
      logBudget: 60,
      introspection: false,
      fastPath: false,
      drainSeconds: 0,
      tracing: {
        url: "http://collector.example:4318/v1/traces",
        sampler: "parentbased_traceidratio",
        ratio: 0.01,
        queue: { size: 100, batchSize: 10, delayMs: 1000 },
      },
      logsRequests: true,
      logLevel: "silent",
    });
  });

  it("reads the variables of an identity provider", () => {
    const env = { JWT_JWKS_URL: "https://id.example/jwks?p=1", JWT_ISSUER: "https://id.example/", JWT_AUDIENCE: "us" };
    const tokens = { jwksUrl: env.JWT_JWKS_URL, issuer: env.JWT_ISSUER, audience: "us", policyFile: null };
    expect(readConfig(env).auth).toEqual({ kind: "known", keysFile: null, tokens });
    expect(readConfig({ ...env, API_KEYS_FILE: "k.json" }).auth).toEqual({ kind: "known", keysFile: "k.json", tokens });
    expect(readConfig({ ...env, TOKEN_POLICY_FILE: "p" }).auth).toMatchObject({ tokens: { policyFile: "p" } });
  });

  it("reads the variables of recordings", () => {
    const bucket = {
      RECORDINGS_S3_URL: "https://s3.example/bucket/prefix",
      RECORDINGS_S3_ACCESS_KEY_ID: "id",
      RECORDINGS_S3_SECRET_ACCESS_KEY: "secret",
    };
    const env = {
      ...bucket,
      RECORDINGS_DIR: "/srv/recordings",
      RECORDING_HOSTS: "Files.example, 10.0.0.1:8080,[::1]:80",
    };
    expect(readConfig(env).recordings).toEqual({
      directory: "/srv/recordings",
      bucket: {
        url: "https://s3.example/bucket/prefix",
        region: "us-east-1",
        accessKeyId: "id",
        secretAccessKey: "secret",
      },
      hosts: [
        { host: "files.example", port: null },
        { host: "10.0.0.1", port: 8080 },
        { host: "[::1]", port: 80 },
      ],
      ownHosts: [],
    });
    expect(readConfig({ ...bucket, RECORDINGS_S3_REGION: "eu-central-1" }).recordings.bucket?.region).toBe(
      "eu-central-1",
    );
  });

  it("reads the variables of the sandbox", () => {
    const env = {
      SANDBOX_PORT: "0",
      SANDBOX_TOKEN: "t",
      SANDBOX_TIME_ZONE: "Europe/Berlin",
      SANDBOX_WEBHOOK_URL: "http://127.0.0.1:4000/calllog",
      SANDBOX_WEBHOOK_AUTHORIZATION: "w",
      SANDBOX_SPEED: "10000",
      SANDBOX_SEED: "4294967295",
    };
    expect(readConfig(env).sandbox).toEqual({
      port: 0,
      token: "t",
      timeZone: "Europe/Berlin",
      webhookUrl: "http://127.0.0.1:4000/calllog",
      webhookAuthorization: "w",
      speed: 10_000,
      seed: 4_294_967_295,
    });
  });

  it.each([
    ["/calllog", "/calllog"],
    ["/calllog/", "/calllog"],
    ["/hooks/calls-1.json", "/hooks/calls-1.json"],
    ["/hooks/~a/", "/hooks/~a"],
  ])("reads WEBHOOK_PATH %s as %s", (value, path) => {
    expect(readConfig({ WEBHOOK_PATH: value }).webhook.path).toBe(path);
  });

  it("reads WEBHOOK_AUTHORIZATION once if both of its values are equal", () => {
    const env = { WEBHOOK_AUTHORIZATION: "same", WEBHOOK_AUTHORIZATION_PREVIOUS: "same" };
    expect(readConfig(env).webhook.accepted).toEqual(["same"]);
  });

  it.each([
    "postgres:///calls?host=/var/run/postgresql",
    "postgres://user:word@/calls",
    "postgresql://user:a word@[::1]:5432/calls",
    "postgres://user@%2Fvar%2Frun%2Fpostgresql/calls",
  ])("accepts the DATABASE_URL %s", (DATABASE_URL) => {
    expect(readConfig({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL);
  });
});
