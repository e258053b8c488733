// Starts a gateway in front of a sandbox or another service: in the test's process, or as a process of its own.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { GatewayOverrides } from "../../src/gateway/base.ts";
import { collectLines, type LogLines } from "./logLines.ts";
import { startProgram, type Environment, type Program } from "./program.ts";
import { TIME_ZONE, TOKEN, WEBHOOK_AUTHORIZATION, type TestSandbox } from "./sandbox.ts";

export const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** The address of a service that does not answer: nothing listens on its port. */
export const NO_SERVICE = { url: "http://127.0.0.1:9" };

/** A gateway's address, or that of a proxy in front of it. */
export interface GatewayAddress {
  url: string;
  /** POST /graphql. */
  ask<T = Record<string, unknown>>(query: string, variables?: unknown, headers?: Environment): Promise<Answer<T>>;
  /** Posts a body to the webhook, as the service would. */
  deliver(body: unknown, headers?: Environment): Promise<Response>;
}

/** A gateway of either kind. Disposing of it ends it at once, like a kill. */
export interface TestGateway extends GatewayAddress, LogLines, AsyncDisposable {}

/** A gateway in a process of its own. */
export type GatewayProgram = Program & GatewayAddress;

export interface Answer<T> {
  status: number;
  data?: T | null;
  errors?: { message: string; path?: (string | number)[]; extensions: Record<string, unknown> }[];
}

/** A document that codegen made, with the type of its result. */
export type Document<T, V> = { toString(): string; __apiType?: (variables: V) => T };

/**
 * Starts a gateway in this process, which takes a sixth of the time of a process of its own. `env`: variables of the gateway.
 * Use `spawnGateway` for a test that sends signals, measures the process, mocks time, or sets options of Node.
 */
export async function startGateway(
  service: { url: string },
  env: Environment = {},
  overrides: GatewayOverrides = {},
): Promise<TestGateway> {
  // Loaded on demand, because benchmarks use the rest of this file.
  const { readConfig, variables } = await import("../../src/config/config.ts");
  const { createGateway } = await import("../../src/gateway.ts");
  const { createLogger } = await import("../../src/logger.ts");
  const unknown = Object.keys(env).find((name) => !(name in variables));
  if (unknown !== undefined) throw new Error(`${unknown} is no variable of the gateway: use spawnGateway.`);
  await using parts = new AsyncDisposableStack();
  const directory = parts.use(await temporaryDirectory());
  // Disposing of it cuts its connections.
  const { upstream, ...config } = readConfig({ DRAIN_SECONDS: "0", ...environmentOf(service, directory, env) });
  if (!upstream) throw new Error("The configuration names no service.");
  const { output, line, add } = collectLines();
  const log = createLogger({
    level: config.logLevel,
    secrets: [upstream.token, ...config.webhook.accepted, config.recordings.bucket?.secretAccessKey ?? ""],
    write: (text) => add(text.trimEnd()),
  });
  const { url } = parts.use(await createGateway({ ...config, upstream }, log, overrides));
  const running = parts.move();
  return { ...gatewayAt(url), output, line, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/**
 * Starts a gateway as its own process, as users do. `env` may hold variables of Node too. `main`: the entry point of another version.
 */
export async function spawnGateway(
  service: { url: string },
  env: Environment = {},
  main = MAIN,
): Promise<GatewayProgram> {
  const directory = await temporaryDirectory();
  const program = startProgram([main], environmentOf(service, directory, env));
  const { url } = (await program.line((line) => line["msg"] === "the gateway listens")) as { url: string };
  return {
    ...program,
    ...gatewayAt(url),
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

function environmentOf({ url }: { url: string }, directory: Directory, env: Environment): Environment {
  return {
    PORT: "0",
    DATABASE_URL: directory.database,
    // The PostgreSQL that most tests share does not sync, which takes a tenth of the time.
    DATABASE_FSYNC: "elsewhere",
    UPSTREAM_URL: url,
    UPSTREAM_TOKEN: TOKEN,
    UPSTREAM_TIME_ZONE: TIME_ZONE,
    WEBHOOK_AUTHORIZATION,
    INTROSPECTION: "on",
    // Tests count the requests to the service.
    RECONCILE_INTERVAL_S: "0",
    RECORDINGS_DIR: join(directory.path, "recordings"),
    // Downloads no recordings unless a test allows a host.
    RECORDING_HOSTS: "nowhere.invalid",
    UPSTREAM_CACHE_MS: "0",
    ...("API_KEYS_FILE" in env ? {} : { AUTH: "none" }),
    ...env,
  };
}

export function gatewayAt(url: string): GatewayAddress {
  return {
    url,
    async ask(query, variables, headers = {}) {
      const response = await fetch(`${url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ query, variables }),
      });
      return { status: response.status, ...((await response.json()) as object) };
    },
    deliver: (body, headers = {}) =>
      fetch(`${url}/calllog`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: WEBHOOK_AUTHORIZATION, ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
  };
}

/** Points the sandbox's webhook at the gateway. */
export async function connectTestSandbox(sandbox: TestSandbox, gateway: { url: string }): Promise<void> {
  await sandbox.control("PUT", "webhook", { url: `${gateway.url}/calllog`, authorization: WEBHOOK_AUTHORIZATION });
}

export interface Directory extends AsyncDisposable {
  path: string;
  database: string;
}

export async function temporaryDirectory(): Promise<Directory> {
  const path = await mkdtemp(join(tmpdir(), "switchboard-"));
  return {
    path,
    database: `file:${join(path, "switchboard.db")}`,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
