// Starts the gateway as its own process, in front of a sandbox or another service.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgram, type Environment, type Program } from "./program.ts";
import { TIME_ZONE, TOKEN, WEBHOOK_AUTHORIZATION, type SandboxProgram } from "./sandbox.ts";

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

export type GatewayProgram = Program & GatewayAddress;

export interface Answer<T> {
  status: number;
  data?: T | null;
  errors?: { message: string; path?: (string | number)[]; extensions: Record<string, unknown> }[];
}

/** A document that codegen made, with the type of its result. */
export type Document<T, V> = { toString(): string; __apiType?: (variables: V) => T };

/** `main`: the entry point of another version. */
export async function startGateway(
  sandbox: { url: string },
  env: Environment = {},
  main = MAIN,
): Promise<GatewayProgram> {
  const directory = await temporaryDirectory();
  const program = startProgram([main], {
    PORT: "0",
    DATABASE_URL: directory.database,
    UPSTREAM_URL: sandbox.url,
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
  });
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
export async function connectSandboxProgram(sandbox: SandboxProgram, gateway: { url: string }): Promise<void> {
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
