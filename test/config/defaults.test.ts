import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig, variables } from "../../src/config/config.ts";

describe("The configuration without variables", () => {
  const defaults = {
    host: "127.0.0.1",
    port: 4000,
    upstream: null,
    webhook: { path: "/calllog", accepted: [], eventNames: [] },
    databaseUrl: "file:./data/switchboard.db",
    databaseAddress: { url: "file:./data/switchboard.db", password: null },
    proxy: null,
    databaseMustExist: false,
    databaseFsync: "required",
    secretFiles: {},
    retentionDays: 90,
    rawDeliveryDays: 7,
    clockConfirmedOn: null,
    reconcile: { intervalMs: 60_000, lookbackMs: 3_600_000 },
    taskCorrelation: "extra",
    taskDays: "first",
    named: { assistants: [], lines: [], hangUps: [] },
    recordings: { directory: resolve("data/recordings"), bucket: null, hosts: null, ownHosts: [] },
    requests: { timeoutMs: 10_000, assistantIds: "comma", concurrency: 256, cacheMs: 1000 },
    lists: { rangeField: null, ignores: [] },
    reportsRequests: true,
    auth: { kind: "open", byDefault: true },
    metricsPort: null,
    corsOrigins: [],
    callbackUrls: [],
    introspection: true,
    federation: false,
    pages: { console: true, docs: false },
    mcp: null,
    trustedDocuments: null,
    rateLimit: 6000,
    trustedProxies: 0,
    queryBudget: 500,
    logRateLimit: 100_000,
    listRateLimit: 3_000_000,
    logBudget: 2500,
    importPercentOfRateLimit: 10,
    destinations: { file: null, hosts: null },
    alertsFile: null,
    publicUrl: null,
    fastPath: true,
    drainDelaySeconds: 0,
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
    tracing: null,
    logsRequests: false,
    logLevel: "info",
  };

  it("has the defaults", () => {
    expect(readConfig({})).toEqual(defaults);
  });

  it("has the defaults also with empty variables", () => {
    const empty = Object.fromEntries(Object.keys(variables).map((name) => [name, ""]));
    expect(readConfig({ ...empty, HOST: undefined })).toEqual(defaults);
  });

  it("has the defaults also with variables of other programs", () => {
    expect(readConfig({ PATH: "/bin", SWITCHBOARD: "x" })).toEqual(defaults);
  });
});
