// The parts of undici that the gateway uses. They are loaded by undici's private paths, because its public entry also loads fetch,
// caches and mocks: that takes 6 % of the CPU time of a start (550 instead of 520 ms). The version in package.json is exact, and
// test/upstream/undici.test.ts fails when a new version has other paths.
import { createRequire } from "node:module";
import type * as Undici from "undici";

const load = createRequire(import.meta.url);

export const Agent = load("undici/lib/dispatcher/agent") as typeof Undici.Agent;
export const Client = load("undici/lib/dispatcher/client") as typeof Undici.Client;
export const buildConnector = load("undici/lib/core/connect") as typeof Undici.buildConnector;

// undici's public entry adds these methods, too.
const dispatcher = load("undici/lib/dispatcher/dispatcher") as typeof Undici.Dispatcher;
dispatcher.prototype.request = load("undici/lib/api/api-request") as Undici.Dispatcher["request"];

/** Loaded on use, because few gateways have a proxy. */
export function loadEnvHttpProxyAgent(): typeof Undici.EnvHttpProxyAgent {
  dispatcher.prototype.connect = load("undici/lib/api/api-connect") as Undici.Dispatcher["connect"];
  return load("undici/lib/dispatcher/env-http-proxy-agent") as typeof Undici.EnvHttpProxyAgent;
}
