import { describe, expect, it } from "vitest";
import { ConfigError, EXIT_CONFIG, isLoopback, readConfig, variables } from "../src/config.ts";

const upstream = {
  UPSTREAM_URL: "https://calls.example/base",
  UPSTREAM_TOKEN: "token",
  UPSTREAM_TIME_ZONE: "Asia/Shanghai",
  WEBHOOK_AUTHORIZATION: "value",
};

function problems(env: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) expect(error.message).toContain(`\n  ${problem}`);
    return error.problems;
  }
  return [];
}

describe("without any variable the gateway has all it needs", () => {
  const defaults = {
    host: "127.0.0.1",
    port: 4000,
    upstream: null,
    webhook: { path: "/calllog", accepted: [] },
    databaseFile: "./data/switchboard.db",
    auth: { kind: "open" },
    corsOrigins: [],
    introspection: true,
    drainSeconds: 20,
    sandbox: {
      port: 4010,
      token: null,
      timeZone: "Asia/Shanghai",
      webhookUrl: null,
      webhookAuthorization: null,
      speed: 1,
      seed: 1,
    },
    logLevel: "info",
  };

  it("from its defaults", () => {
    expect(readConfig({})).toEqual(defaults);
  });

  it("and an empty variable is one that is not set", () => {
    const empty = Object.fromEntries(Object.keys(variables).map((name) => [name, ""]));
    expect(readConfig({ ...empty, HOST: undefined })).toEqual(defaults);
  });

  it("and another program's variables are none of its business", () => {
    expect(readConfig({ PATH: "/bin", SWITCHBOARD: "x" })).toEqual(defaults);
  });
});

describe("every variable is read", () => {
  it("for the service", () => {
    const env = { ...upstream, AUTH: "none", UPSTREAM_TIMEOUT_MS: "1", UPSTREAM_ASSISTANT_IDS: "brackets" };
    expect(readConfig(env)).toMatchObject({
      upstream: {
        url: "https://calls.example/base",
        token: "token",
        timeZone: "Asia/Shanghai",
        timeoutMs: 1,
        assistantIds: "brackets",
      },
      webhook: { accepted: ["value"] },
      auth: { kind: "open" },
      introspection: false,
    });
    expect(readConfig({ ...upstream, AUTH: "none" }).upstream).toMatchObject({
      timeoutMs: 10_000,
      assistantIds: "comma",
    });
  });

  it("for the gateway", () => {
    const env = {
      HOST: "0.0.0.0",
      PORT: "0",
      WEBHOOK_AUTHORIZATION: "new",
      WEBHOOK_AUTHORIZATION_PREVIOUS: "old value",
      DATABASE_URL: "file:/var/lib/switchboard/events.db",
      API_KEYS_FILE: "keys.json",
      CORS_ORIGINS: "https://app.example, http://localhost:5173",
      INTROSPECTION: "off",
      DRAIN_SECONDS: "0",
      LOG_LEVEL: "silent",
    };
    expect(readConfig(env)).toMatchObject({
      host: "0.0.0.0",
      port: 0,
      webhook: { accepted: ["new", "old value"] },
      databaseFile: "/var/lib/switchboard/events.db",
      auth: { kind: "keys", file: "keys.json" },
      corsOrigins: ["https://app.example", "http://localhost:5173"],
      introspection: false,
      drainSeconds: 0,
      logLevel: "silent",
    });
  });

  it("for the sandbox", () => {
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
  ])("and WEBHOOK_PATH %s is %s", (given, path) => {
    expect(readConfig({ WEBHOOK_PATH: given }).webhook.path).toBe(path);
  });
});

describe("a bad variable is named, and its value is not told", () => {
  const bad: [string, string][] = [
    ["PORT", "65536canary"],
    ["PORT", "-1"],
    ["PORT", "65536"],
    ["PORT", " 1"],
    ["UPSTREAM_URL", "ftp://canary"],
    ["UPSTREAM_URL", "canary"],
    ["UPSTREAM_URL", "https://canary:canary@calls.example"],
    ["UPSTREAM_URL", "https://calls.example?token=canary"],
    ["UPSTREAM_URL", "https://calls.example#canary"],
    ["UPSTREAM_TOKEN", "canary\n"],
    ["UPSTREAM_TOKEN", " canary"],
    ["UPSTREAM_TOKEN", "canäry"],
    ["UPSTREAM_TIME_ZONE", "Canary"],
    ["UPSTREAM_TIME_ZONE", "+08:00"],
    ["UPSTREAM_TIMEOUT_MS", "0"],
    ["UPSTREAM_ASSISTANT_IDS", "canary"],
    ["WEBHOOK_AUTHORIZATION", "canary\r"],
    ["WEBHOOK_AUTHORIZATION_PREVIOUS", "canary "],
    ["WEBHOOK_PATH", "canary"],
    ["WEBHOOK_PATH", "/"],
    ["WEBHOOK_PATH", "/canary?x"],
    ["WEBHOOK_PATH", "/canary//"],
    ["WEBHOOK_PATH", "/graphql"],
    ["WEBHOOK_PATH", "/graphql/"],
    ["WEBHOOK_PATH", "/readyz"],
    ["DATABASE_URL", "postgres://canary"],
    ["DATABASE_URL", "file:"],
    ["AUTH", "canary"],
    ["CORS_ORIGINS", "https://canary.example/"],
    ["CORS_ORIGINS", "https://app.example,https://canary.example/path"],
    ["CORS_ORIGINS", "https://app.example,"],
    ["CORS_ORIGINS", "HTTPS://CANARY.example"],
    ["CORS_ORIGINS", "*"],
    ["CORS_ORIGINS", "null"],
    ["CORS_ORIGINS", "canary.example"],
    ["INTROSPECTION", "canary"],
    ["DRAIN_SECONDS", "1.5"],
    ["SANDBOX_SPEED", "0"],
    ["SANDBOX_TIME_ZONE", "canary"],
    ["SANDBOX_WEBHOOK_URL", "canary"],
    ["LOG_LEVEL", "canary"],
  ];

  it.each(bad)("%s=%j", (name, value) => {
    const found = problems({ [name]: value });
    expect(found.some((problem) => problem.startsWith(`${name} `))).toBe(true);
    expect(found.join("\n")).not.toMatch(/canary|canäry/i);
  });

  it("and all of them are named at once, with what they ask of each other", () => {
    const found = problems({
      PORT: "canary",
      UPSTREAM_URL: "canary",
      UPSTREAM_TIME_ZONE: "canary",
      LOG_LEVEL: "canary",
      AUTH: "none",
      API_KEYS_FILE: "canary",
    });
    expect(new Set(found.map((problem) => problem.split(" ")[0]))).toEqual(
      new Set([
        "AUTH",
        "LOG_LEVEL",
        "PORT",
        "UPSTREAM_TIME_ZONE",
        "UPSTREAM_TOKEN",
        "UPSTREAM_URL",
        "WEBHOOK_AUTHORIZATION",
      ]),
    );
    expect(found).toHaveLength(7);
    expect(found.join("\n")).not.toContain("canary");
  });

  it("and the exit code is that of a bad configuration", () => {
    expect(EXIT_CONFIG).toBe(78);
  });
});

describe("what stands between variables is checked", () => {
  it("and nothing is missing where all is there", () => {
    expect(problems({ ...upstream, AUTH: "none" })).toEqual([]);
    expect(problems({ ...upstream, API_KEYS_FILE: "keys.json" })).toEqual([]);
    expect(problems({ HOST: "0.0.0.0", AUTH: "none" })).toEqual([]);
  });

  it("and UPSTREAM_URL asks for its companions, each named", () => {
    expect(problems({ UPSTREAM_URL: upstream.UPSTREAM_URL, AUTH: "none" })).toEqual([
      "UPSTREAM_TOKEN is needed with UPSTREAM_URL",
      "UPSTREAM_TIME_ZONE is needed with UPSTREAM_URL",
      "WEBHOOK_AUTHORIZATION is needed with UPSTREAM_URL",
    ]);
  });

  it("and a token without its service is a mistake", () => {
    expect(problems({ UPSTREAM_TOKEN: "token" })).toEqual(["UPSTREAM_URL is needed with UPSTREAM_TOKEN"]);
  });

  it("and AUTH and API_KEYS_FILE exclude each other", () => {
    expect(problems({ AUTH: "none", API_KEYS_FILE: "keys.json" })).toEqual([
      "AUTH and API_KEYS_FILE exclude each other",
    ]);
  });

  it("and the real service is never left open without the word", () => {
    expect(problems(upstream)).toEqual(["API_KEYS_FILE is needed with UPSTREAM_URL, or the word AUTH=none"]);
  });

  it.each(["0.0.0.0", "::", "gateway.example", "192.168.1.2", "127.0.0.1.example", "1270.0.0.1"])(
    "nor the sandbox on %s",
    (HOST) => {
      expect(isLoopback(HOST)).toBe(false);
      expect(problems({ HOST })).toEqual(["API_KEYS_FILE (or AUTH=none) is needed where HOST is not loopback"]);
    },
  );

  it.each(["localhost", "::1", "127.0.0.1", "127.1.2.3"])("while %s is loopback", (HOST) => {
    expect(problems({ HOST })).toEqual([]);
  });
});

describe("introspection is on with the sandbox only", () => {
  it.each([
    [{}, true],
    [{ INTROSPECTION: "off" }, false],
    [{ ...upstream, AUTH: "none" }, false],
    [{ ...upstream, AUTH: "none", INTROSPECTION: "on" }, true],
  ])("or as it is said: %j", (env, introspection) => {
    expect(readConfig(env).introspection).toBe(introspection);
  });
});
