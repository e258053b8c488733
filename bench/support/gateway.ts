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

/** As `npm start` has it. */
const YOUNG = ["--max-semi-space-size=64", "--no-allocation-site-pretenuring"];
const START = [fileURLToPath(new URL("../../bin/start.js", import.meta.url))];

/** A large database is examined for a while. */
const START_MS = 300_000;

export interface BenchGateway extends Metered {
  /** The Authorization header of a client with the scopes below. */
  authorization: string;
  /** The Authorization header of an attacker with the scopes that were asked for; a wrong one where there are none. */
  attackerAuthorization: string;
  /** Those of as many clients as were asked for, the one above first. */
  clients: readonly string[];
}

export interface BenchGatewayOptions {
  /** The service's URL; without it nobody is there. */
  service?: string;
  /** `file:PATH` or `postgres://…`; without it a file that is gone at the end. */
  database?: string;
  /** What its clients may do; without it read calls and people. */
  scopes?: readonly Scope[];
  /** Scopes of one more key, which is an attacker's; without it there is none. */
  attacker?: readonly Scope[];
  /** How many there are; without it one. */
  clients?: number;
  /** Variables that are set otherwise than here. */
  settings?: Environment;
  /** UPSTREAM_CACHE_MS; without it the default. */
  cacheMs?: number;
  /** From where recordings are fetched; without it from nowhere. */
  recordingHosts?: string;
  /** What is run in place of `npm start`, and greets as it does. */
  program?: readonly string[];
  /** They go to Node before the gateway's own file, such as --cpu-prof. */
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
    // Kept answers are measured by themselves (polling.ts).
    UPSTREAM_CACHE_MS: "0",
    RECORDINGS_DIR: join(directory.path, "recordings"),
    RECORDING_HOSTS: options.recordingHosts ?? "nowhere.invalid",
    LOG_LEVEL: "warn",
    // Counted as ever, and never reached: who measures asks more in a second than a client may in a minute.
    RATE_LIMIT: "1000000000",
    ...(options.cacheMs === undefined ? {} : { UPSTREAM_CACHE_MS: String(options.cacheMs) }),
    ...options.settings,
  };
  // At this level its log does not tell where it listens; its greeting does.
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

/** Where the log ends now: who subscribes behind it misses nothing, whenever its subscription begins. */
export async function headCursor(gateway: BenchGateway): Promise<string> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: gateway.authorization },
    body: JSON.stringify({ query: "{ callEndedEvents(first: 1) { headCursor } }" }),
  });
  const { data } = (await response.json()) as { data: { callEndedEvents: { headCursor: string } } };
  return data.callEndedEvents.headCursor;
}
