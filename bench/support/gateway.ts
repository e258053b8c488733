// Starts the gateway as in production: with keys, no introspection, a quiet log and its own database.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createApiKey } from "../../src/auth/apiKeys.ts";
import type { Scope } from "../../src/auth/scopes.ts";
import { temporaryDirectory } from "../../test/support/gateway.ts";
import { TIME_ZONE, TOKEN, WEBHOOK_AUTHORIZATION } from "../../test/support/sandbox.ts";
import { until } from "../../test/support/until.ts";
import type { Environment } from "../../test/support/program.ts";
import { startMetered, type Metered } from "./metered.ts";

const CLIENT: readonly Scope[] = ["calls:read", "people:read"];

/** The same as in `npm start`. */
const YOUNG = [
  "--max-semi-space-size=64",
  "--heap-growing-percent=50",
  "--no-allocation-site-pretenuring",
  "--expose-gc",
];
const START = [fileURLToPath(new URL("../../bin/start.js", import.meta.url))];

/** Checking a large database at the start takes a while. */
const START_MS = 300_000;

export interface BenchGateway extends Metered {
  /** The Authorization header of a client with the scopes below. */
  authorization: string;
  /** The Authorization header of the attacker's key. Invalid if the attacker has no key. */
  attackerAuthorization: string;
  /** The Authorization headers of all clients. The first is `authorization`. */
  clients: readonly string[];
}

export interface BenchGatewayOptions {
  /** The service's URL. Default: an address without a server. */
  service?: string;
  /** `file:PATH` or `postgres://…`. Default: a file that is deleted at the end. */
  database?: string;
  /** Scopes of its clients. Default: calls:read and people:read. */
  scopes?: readonly Scope[];
  /** Scopes of an additional key for an attacker. Default: no such key. */
  attacker?: readonly Scope[];
  /** Number of clients. Default: 1. */
  clients?: number;
  /** Variables that replace the ones set here. */
  settings?: Environment;
  /** UPSTREAM_CACHE_MS. Default: 0, no cache. */
  cacheMs?: number;
  /** RECORDING_HOSTS. Default: no recordings are fetched. */
  recordingHosts?: string;
  /** The program to run instead of `npm start`. It must print the same greeting. */
  program?: readonly string[];
  /** Options of Node, such as --cpu-prof. */
  nodeOptions?: readonly string[];
}

export async function startGateway(options: BenchGatewayOptions): Promise<BenchGateway> {
  const { service = "http://127.0.0.1:9", nodeOptions = [] } = options;
  await using parts = new AsyncDisposableStack();
  const directory = parts.use(await temporaryDirectory());
  const { scopes = CLIENT, clients = 1 } = options;
  const made = Array.from({ length: clients }, (_, at) => createApiKey(`bench-${at}`, [...scopes]));
  const keys = join(directory.path, "keys.json");
  const { attacker: attackerScopes = [] } = options;
  const attacker = createApiKey("attacker", [...attackerScopes]);
  const entries = [...made, ...(attackerScopes.length > 0 ? [attacker] : [])].map(({ entry }) => entry);
  await writeFile(keys, JSON.stringify(entries));
  const env = {
    PORT: "0",
    DATABASE_URL: options.database ?? directory.database,
    UPSTREAM_URL: service,
    UPSTREAM_TOKEN: TOKEN,
    UPSTREAM_TIME_ZONE: TIME_ZONE,
    WEBHOOK_AUTHORIZATION,
    API_KEYS_FILE: keys,
    INTROSPECTION: "off",
    RECONCILE_INTERVAL_S: "0",
    // Without a cache. polling.ts measures cached answers.
    UPSTREAM_CACHE_MS: "0",
    RECORDINGS_DIR: join(directory.path, "recordings"),
    RECORDING_HOSTS: options.recordingHosts ?? "nowhere.invalid",
    LOG_LEVEL: "warn",
    // Requests are counted as usual, but the load must not reach the limit.
    RATE_LIMIT: "1000000000",
    LIST_RATE_LIMIT: "1000000000",
    ...(options.cacheMs === undefined ? {} : { UPSTREAM_CACHE_MS: String(options.cacheMs) }),
    ...options.settings,
  };
  // At this log level only the greeting names the URL.
  const greeted = await startMetered([...nodeOptions, ...YOUNG, ...(options.program ?? START)], env, (program) =>
    Promise.race([
      until(() => /Switchboard +(http\S+)/.exec(program.stderr())?.[1], START_MS),
      program.exited.then((code): never => {
        throw new Error(`the gateway ended with ${code}: ${program.stderr()}`);
      }),
    ]),
  );
  const program = parts.use(greeted);
  const running = parts.move();
  const headers = made.map(({ key }) => `Bearer ${key}`);
  return {
    ...program,
    authorization: headers[0] as string,
    attackerAuthorization: `Bearer ${attacker.key}`,
    clients: headers,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The cursor of the end of the log. A later subscription after it receives every event from now on. */
export async function headCursor(gateway: BenchGateway): Promise<string> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: gateway.authorization },
    body: JSON.stringify({ query: "{ callEndedEvents(first: 1) { headCursor } }" }),
  });
  const { data } = (await response.json()) as { data: { callEndedEvents: { headCursor: string } } };
  return data.callEndedEvents.headCursor;
}
