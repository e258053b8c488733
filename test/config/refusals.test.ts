import { describe, expect, it } from "vitest";
import { isLoopback, readConfig, type variables } from "../../src/config/config.ts";
import { ownFolders, ownPaths } from "../../src/config/ownPaths.ts";
import { problems, upstream } from "./environment.ts";

describe("A gateway with a bad configuration", () => {
  const bad: Partial<Record<keyof typeof variables, string[]>> = {
    PORT: ["65536canary", "-1", "65536", "4 0"],
    UPSTREAM_URL: [
      "ftp://canary",
      "canary",
      "https://canary:canary@calls.example",
      "https://calls.example?token=canary",
      "https://calls.example#canary",
    ],
    UPSTREAM_TOKEN: ["can\nary", "canäry"],
    UPSTREAM_TIME_ZONE: ["Canary", "+08:00"],
    UPSTREAM_TIMEOUT_MS: ["0"],
    UPSTREAM_ASSISTANT_IDS: ["canary"],
    UPSTREAM_RANGE_FIELD: ["canary", "createdAt"],
    UPSTREAM_IGNORES: ["canary", "kind canary", "since"],
    UPSTREAM_TASK_DAYS: ["canary", "on"],
    WEBHOOK_AUTHORIZATION: ["can\rary"],
    WEBHOOK_AUTHORIZATION_PREVIOUS: ["‘canary’"],
    WEBHOOK_PATH: [
      "canary",
      "/",
      "/canary?x",
      "/canary//",
      "/./canary",
      "/canary/..",
      "/graphql",
      "/graphql/",
      "/readyz",
      ...ownPaths.filter((path) => path !== "/"),
      ...ownFolders.flatMap((folder) => [folder, `${folder}/canary`, `${folder}/`]),
    ],
    DATABASE_MUST_EXIST: ["on", "canary"],
    DATABASE_URL: [
      "mysql://canary",
      "postgres://",
      "file:",
      "postgres://canary:canary@127.0.0.1:99999/canary",
      "postgres://canary,canary:99999/canary",
      "postgres://canary/canary?target_session_attrs=any",
      "postgres://switchboard:canary@canary/x@database.example/calls",
      "postgres://switchboard:1#canary@database.example/calls",
      "postgres://switchboard:1?canary@database.example/calls",
      "postgres://switchboard:canary/canary@database.example/calls",
    ],
    CLOCK_CONFIRMED_ON: ["2026-02-32", "today", "2026-11-25T10:00:00Z"],
    DATABASE_FSYNC: ["off", "canary"],
    EVENT_RETENTION_DAYS: ["0", "canary"],
    RAW_DELIVERY_DAYS: ["-1", "canary"],
    RECONCILE_INTERVAL_S: ["0.5", "-1", "canary"],
    TASK_CORRELATION: ["on", "canary"],
    KNOWN_ASSISTANTS: ["canary", "canary=1", "11=", "11", "0=canary", "11=canary,", "11=canary,11=other"],
    KNOWN_LINES: ["-1=canary", "6.5=canary", Array.from({ length: 101 }, (_, at) => `${at + 1}=canary`).join()],
    RECONCILE_LOOKBACK_S: ["2592001", "canary"],
    RECORDING_HOSTS: [
      "https://canary.example",
      "canary.example/path",
      "a.example,",
      "user@canary.example",
      "*.canary.example",
      ".canary.example",
      '"canary.example"',
    ],
    RECORDINGS_S3_URL: ["canary", "https://s3.example", "https://canary:canary@s3.example/bucket"],
    RECORDINGS_S3_REGION: ["can ary"],
    RECORDINGS_S3_ACCESS_KEY_ID: ["can ary"],
    RECORDINGS_S3_SECRET_ACCESS_KEY: ["can\tary"],
    AUTH: ["canary"],
    JWT_JWKS_URL: ["canary", "file:///canary", "https://canary@id.example/"],
    JWT_ISSUER: ["'canary'"],
    JWT_AUDIENCE: ["can\ufeffary"],
    CORS_ORIGINS: [
      "https://canary.example/",
      "https://app.example,https://canary.example/path",
      "https://app.example,",
      "HTTPS://CANARY.example",
      "*",
      "https://*.canary.example",
      "null",
      "canary.example",
    ],
    QUERY_BUDGET: ["0", "canary"],
    LOG_RATE_LIMIT: ["0", "canary"],
    LIST_RATE_LIMIT: ["99", "canary"],
    LOG_BUDGET: ["0", "canary"],
    INTROSPECTION: ["canary"],
    FEDERATION: ["canary"],
    SUBSCRIPTION_CALLBACK_URLS: [
      "canary",
      "ftp://canary.example",
      "https://router.example,",
      "https://canary@router.example/callback",
      "https://router.example/callback?canary",
      "https://router.example/callback#canary",
      "https://router.example/%63anary",
      "https://router.example//canary",
      "https://*.canary.example/;x",
    ],
    DRAIN_SECONDS: ["1.5"],
    SANDBOX_SPEED: ["0"],
    SANDBOX_TIME_ZONE: ["canary"],
    SANDBOX_WEBHOOK_URL: ["canary"],
    OTEL_EXPORTER_OTLP_ENDPOINT: ["canary", "http://user:canary@collector.example"],
    LOG_REQUESTS: ["canary"],
    LOG_LEVEL: ["canary"],
  };
  const rows = Object.entries(bad).flatMap(([name, values]) => values.map((value) => [name, value] as const));

  it.each(rows)("reports %s=%j by the name, without the value", (name, value) => {
    const found = problems({ [name]: value });
    expect(found.some((problem) => problem.startsWith(`${name} `))).toBe(true);
    expect(found.join("\n")).not.toMatch(/canary|canäry/i);
  });

  it.each([
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["OTEL_TRACES_SAMPLER", "canary"],
    ["OTEL_TRACES_SAMPLER_ARG", "1.5"],
    ["OTEL_BSP_MAX_QUEUE_SIZE", "0"],
    ["OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "canary"],
    ["OTEL_BSP_SCHEDULE_DELAY", "0"],
  ])("reports %s=%s only if a collector is set, because other programs may need it", (name, value) => {
    expect(problems({ [name]: value }).filter((problem) => problem.startsWith("OTEL"))).toEqual([]);
    const found = problems({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318", [name]: value });
    expect(found.filter((problem) => problem.startsWith(`${name} `))).toHaveLength(1);
    expect(found.join("\n")).not.toContain("canary");
  });

  it("reports all bad variables and all conflicts in one error", () => {
    const found = problems({
      PORT: "canary",
      UPSTREAM_URL: "canary",
      UPSTREAM_TIME_ZONE: "canary",
      LOG_LEVEL: "canary",
      AUTH: "none",
      API_KEYS_FILE: "canary",
    });
    const names = "AUTH LOG_LEVEL PORT UPSTREAM_TIME_ZONE UPSTREAM_TOKEN UPSTREAM_URL WEBHOOK_AUTHORIZATION".split(" ");
    expect(new Set(found.map((problem) => problem.split(" ")[0]))).toEqual(new Set(names));
    expect(found).toHaveLength(7);
    expect(found.join("\n")).not.toContain("canary");
  });
});

const tokens = { JWT_JWKS_URL: "https://id.example/jwks", JWT_ISSUER: "https://id.example/", JWT_AUDIENCE: "us" };
describe("The checks between variables", () => {
  it("accept a complete configuration", () => {
    expect(problems({ ...upstream, AUTH: "none" })).toEqual([]);
    expect(problems({ ...upstream, API_KEYS_FILE: "keys.json" })).toEqual([]);
    expect(problems({ HOST: "0.0.0.0", AUTH: "none" })).toEqual([]);
  });

  it("report each variable that UPSTREAM_URL needs", () => {
    expect(problems({ UPSTREAM_URL: upstream.UPSTREAM_URL, AUTH: "none" })).toEqual([
      "UPSTREAM_TOKEN is needed with UPSTREAM_URL",
      "UPSTREAM_TIME_ZONE is needed with UPSTREAM_URL",
      "WEBHOOK_AUTHORIZATION is needed with UPSTREAM_URL",
    ]);
  });

  it("refuse a token without UPSTREAM_URL", () => {
    expect(problems({ UPSTREAM_TOKEN: "token" })).toEqual(["UPSTREAM_URL is needed with UPSTREAM_TOKEN"]);
  });

  it("refuse AUTH together with keys or tokens", () => {
    expect(problems({ AUTH: "none", API_KEYS_FILE: "keys.json" })).toEqual([
      "AUTH and API_KEYS_FILE exclude each other",
    ]);
    expect(problems({ AUTH: "none", ...tokens })).toEqual(["AUTH and JWT_JWKS_URL exclude each other"]);
  });

  it("require all three variables of an identity provider", () => {
    expect(problems({ ...upstream, ...tokens })).toEqual([]);
    expect(problems({ ...upstream, ...tokens, API_KEYS_FILE: "keys.json" })).toEqual([]);
    expect(problems({ JWT_JWKS_URL: tokens.JWT_JWKS_URL })).toEqual([
      "JWT_ISSUER is needed with JWT_JWKS_URL",
      "JWT_AUDIENCE is needed with JWT_JWKS_URL",
    ]);
    expect(problems({ JWT_ISSUER: "x", JWT_AUDIENCE: "y" })).toEqual([
      "JWT_JWKS_URL is needed with JWT_ISSUER and JWT_AUDIENCE",
    ]);
  });

  it("refuse a real service without authentication unless AUTH=none is set", () => {
    expect(problems(upstream)).toEqual([
      "API_KEYS_FILE or JWT_JWKS_URL is needed with UPSTREAM_URL, or the word AUTH=none",
    ]);
  });

  it.each(["0.0.0.0", "::", "gateway.example", "192.168.1.2", "127.0.0.1.example", "1270.0.0.1"])(
    "refuse the sandbox without authentication on %s",
    (HOST) => {
      expect(isLoopback(HOST)).toBe(false);
      expect(problems({ HOST })).toEqual([
        "API_KEYS_FILE or JWT_JWKS_URL (or AUTH=none) is needed where HOST is not loopback",
      ]);
    },
  );

  it.each(["localhost", "::1", "127.0.0.1", "127.1.2.3"])("accept the sandbox without authentication on %s", (HOST) => {
    expect(problems({ HOST })).toEqual([]);
  });
});

describe("The check of equal ports", () => {
  it.each<[Record<string, string>, string[]]>([
    [{ PORT: "4002", METRICS_PORT: "4002" }, ["PORT and METRICS_PORT"]],
    [{ PORT: "4002", SANDBOX_PORT: "4002" }, ["PORT and SANDBOX_PORT"]],
    [{ METRICS_PORT: "4002", SANDBOX_PORT: "4002" }, ["METRICS_PORT and SANDBOX_PORT"]],
    [{ PORT: "4010" }, ["PORT and SANDBOX_PORT"]],
    [{ HOST: "127.0.0.2", AUTH: "none", PORT: "4010" }, []],
    [{ ...upstream, AUTH: "none", PORT: "4010", METRICS_PORT: "4010" }, ["PORT and METRICS_PORT"]],
    [{ PORT: "0", METRICS_PORT: "0", SANDBOX_PORT: "0" }, []],
    [{ ...upstream, AUTH: "none", PORT: "4010" }, []],
  ])("finds the equal ports of %j", (env, names) => {
    expect(problems(env)).toEqual(names.map((pair) => `${pair} must not be the same port`));
  });

  it("reports a bad port only as a bad port", () => {
    expect(problems({ PORT: "canary", SANDBOX_PORT: "canary" })).toHaveLength(2);
  });
});

describe("The check of LOG_BUDGET", () => {
  it("refuses a value above LOG_RATE_LIMIT", () => {
    expect(problems({ LOG_BUDGET: "101", LOG_RATE_LIMIT: "100" })).toEqual([
      "LOG_BUDGET must not be above LOG_RATE_LIMIT: one operation could need more than a minute gives",
    ]);
  });

  it("accepts a value equal to LOG_RATE_LIMIT", () => {
    expect(problems({ LOG_BUDGET: "100", LOG_RATE_LIMIT: "100" })).toEqual([]);
  });
});

describe("The default of INTROSPECTION", () => {
  it.each([
    [{}, true],
    [{ INTROSPECTION: "off" }, false],
    [{ ...upstream, AUTH: "none" }, false],
    [{ ...upstream, AUTH: "none", INTROSPECTION: "on" }, true],
  ])("is on with the sandbox only: %j", (env, introspection) => {
    expect(readConfig(env).introspection).toBe(introspection);
  });
});
