// What is used of undici, and no more of it: the whole would bring fetch, caches and mocks, which are a tenth of the start.
// Its files' names are no promise to anybody; the version is exact, and the tests of whatever asks the service hold them.
import { createRequire } from "node:module";
import type * as Undici from "undici";

const load = createRequire(import.meta.url);

export const Agent = load("undici/lib/dispatcher/agent") as typeof Undici.Agent;
export const Client = load("undici/lib/dispatcher/client") as typeof Undici.Client;
export const Pool = load("undici/lib/dispatcher/pool") as typeof Undici.Pool;
export const buildConnector = load("undici/lib/core/connect") as typeof Undici.buildConnector;
export const errors = load("undici/lib/core/errors") as typeof Undici.errors;

// As undici's own entry does it, which gives dispatchers all of its methods.
const dispatcher = load("undici/lib/dispatcher/dispatcher") as typeof Undici.Dispatcher;
dispatcher.prototype.request = load("undici/lib/api/api-request") as Undici.Dispatcher["request"];
