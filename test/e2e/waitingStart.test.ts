// Starts while something is away that a running gateway could do without for a while.
import { once } from "node:events";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { WebSocket } from "ws";
import { describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { gatewayAt, MAIN, NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { writeKeys } from "../support/keys.ts";
import { cuttingProxy } from "../support/network/cuttingProxy.ts";
import { takeMigratedDatabase } from "../support/postgres/migratedDatabase.ts";
import { startProgram, type Environment } from "../support/program.ts";
import { createWaiting } from "../../src/util/start/waiting.ts";
import { TIME_ZONE, TOKEN, WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";

const SERVICE = {
  PORT: "0",
  AUTH: "none",
  UPSTREAM_URL: NO_SERVICE.url,
  UPSTREAM_TOKEN: TOKEN,
  UPSTREAM_TIME_ZONE: TIME_ZONE,
  WEBHOOK_AUTHORIZATION,
  RECONCILE_INTERVAL_S: "0",
  // The server of the tests does not sync.
  DATABASE_FSYNC: "elsewhere",
};

/** A gateway whose start waits, with its address. */
async function startWaiting(env: Environment) {
  const directory = await temporaryDirectory();
  const program = startProgram([MAIN], { ...SERVICE, ...env }, directory.path);
  const { url } = await program.line(({ msg }) => msg === "the gateway is alive and not ready");
  return {
    ...program,
    ...gatewayAt(String(url)),
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

async function upgradeStatus(url: string): Promise<number | undefined> {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/graphql`, "graphql-transport-ws");
  socket.on("error", () => undefined);
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, { statusCode: number }];
  socket.terminate();
  return response.statusCode;
}

describe("A gateway that starts while PostgreSQL is away", () => {
  it("is alive, asks everybody to come again, and serves when PostgreSQL is there", async () => {
    await using database = await takeMigratedDatabase();
    await using relay = await cuttingProxy(database.url);
    relay.isClosed = true;
    const address = new URL(database.url);
    address.host = new URL(relay.url).host;
    await using gateway = await startWaiting({ DATABASE_URL: address.href });
    const { url, ask, deliver } = gateway;
    const statusOf = async (path: string, headers = {}) => {
      const { status, headers: answered } = await fetch(url + path, { headers });
      return [status, answered.get("retry-after")];
    };
    expect(await statusOf("/livez")).toEqual([200, null]);
    expect(await statusOf("/readyz")).toEqual([503, null]);
    expect(await statusOf("/")).toEqual([503, "1"]);
    expect(await ask("{ __typename }")).toMatchObject({
      status: 503,
      errors: [{ extensions: { code: "STORE_UNAVAILABLE", retryable: true } }],
    });
    const event = callEndedEvent();
    const refused = await deliver(event);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await upgradeStatus(url)).toBe(503);
    // An EventSource gives up at a 503, and comes back after a broken connection.
    const stream = fetch(`${url}/graphql?query=subscription`, { headers: { accept: "text/event-stream" } });
    await expect(stream).rejects.toThrow();

    relay.isClosed = false;
    await gateway.line(({ msg }) => msg === "the gateway listens");
    expect(await statusOf("/readyz")).toEqual([200, null]);
    expect((await deliver(event)).status).toBe(200);
    const reasons = gateway.output.filter((line) => line.includes("the start waits"));
    expect(reasons.length).toBeGreaterThanOrEqual(1);
    expect(new Set(reasons).size).toBe(reasons.length);
    expect(reasons.join()).not.toContain(address.username);
    gateway.process.kill("SIGTERM");
    expect(await gateway.exited).toBe(0);
  });

  it("ends with 0 at a signal", async () => {
    await using gateway = await startWaiting({ DATABASE_URL: "postgres://user@127.0.0.1:1/calls" });
    gateway.process.kill("SIGTERM");
    expect(await gateway.exited).toBe(0);
  });
});

describe("A gateway that starts before", () => {
  it.each([
    ["its file of keys is there", (path: string) => ({ API_KEYS_FILE: `${path}/keys.json` })],
    ["the folder of its SQLite file is mounted", (path: string) => ({ DATABASE_URL: `file:${path}/calls.db` })],
    ["the folder of recordings is mounted", (path: string) => ({ RECORDINGS_DIR: `${path}/recordings` })],
    ["its trusted documents are mounted", (path: string) => ({ TRUSTED_DOCUMENTS: `${path}/documents.json` })],
  ])("%s waits for it", async (_, envOf) => {
    await using directory = await temporaryDirectory();
    const mount = join(directory.path, "mount");
    await writeFile(mount, "");
    const waits = Promise.withResolvers<string>();
    const log = { warn: ({ reason }: Record<string, unknown>) => waits.resolve(String(reason)) };
    const starting = startGateway(NO_SERVICE, envOf(mount), { waiting: createWaiting({ log }) });
    expect(await Promise.race([waits.promise, starting])).toMatch(
      /^(API_KEYS_FILE|The database|RECORDINGS_DIR|TRUSTED_)/,
    );
    await rm(mount);
    await mkdir(mount);
    await writeKeys(mount, { web: ["calls:read"] });
    await writeFile(join(mount, "documents.json"), JSON.stringify({ zone: "{ serviceTimeZone }" }));
    await using gateway = await starting;
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
  });

  it("the gateway before has left the SQLite file waits for it", async () => {
    await using directory = await temporaryDirectory();
    const first = await startGateway(NO_SERVICE, { DATABASE_URL: directory.database });
    const env = { ...SERVICE, DATABASE_URL: directory.database };
    await using second = startProgram([MAIN], env, directory.path);
    const { reason } = await second.line(({ msg }) => String(msg).startsWith("the start waits"));
    expect(reason).toContain("another process has it open");
    await first[Symbol.asyncDispose]();
    const { url } = await second.line(({ msg }) => msg === "the gateway listens");
    expect((await fetch(`${String(url)}/readyz`)).status).toBe(200);
  });
});

describe("A gateway that starts before the files of its secrets are mounted", () => {
  const { UPSTREAM_TOKEN: _token, WEBHOOK_AUTHORIZATION: _authorization, ...others } = SERVICE;
  const filesOf = (mount: string) => ({
    ...others,
    UPSTREAM_TOKEN_FILE: join(mount, "token"),
    WEBHOOK_AUTHORIZATION_FILE: join(mount, "authorization"),
    DATABASE_URL_FILE: join(mount, "database"),
  });

  /** As a container engine does: a file is never there in part. */
  async function mountAtOnce(mount: string, files: Record<string, string>): Promise<void> {
    await mkdir(`${mount}.new`);
    for (const [name, text] of Object.entries(files)) await writeFile(join(`${mount}.new`, name), text);
    await rename(`${mount}.new`, mount);
  }

  it("is alive and not ready, and serves with them when they are there", async () => {
    await using directory = await temporaryDirectory();
    const mount = join(directory.path, "mount");
    await using program = startProgram([MAIN], filesOf(mount), directory.path);
    const { reason } = await program.line(({ msg }) => String(msg).startsWith("the start waits"));
    expect(reason).toBe(
      [
        "UPSTREAM_TOKEN_FILE names a file that cannot be read (ENOENT)",
        "WEBHOOK_AUTHORIZATION_FILE names a file that cannot be read (ENOENT)",
        "DATABASE_URL_FILE names a file that cannot be read (ENOENT)",
      ].join("; "),
    );
    const early = await program.line(({ msg }) => msg === "the gateway is alive and not ready");
    const statuses = await Promise.all(
      ["/livez", "/readyz"].map(async (path) => (await fetch(`${String(early["url"])}${path}`)).status),
    );
    expect(statuses).toEqual([200, 503]);
    await mountAtOnce(mount, {
      token: "canary-token\n",
      authorization: "\uFEFFcanary-value\r\n",
      database: directory.database,
    });
    const { url } = await program.line(({ msg }) => msg === "the gateway listens");
    const delivered = await gatewayAt(String(url)).deliver(callEndedEvent(), { authorization: "canary-value" });
    expect(delivered.status).toBe(200);
    expect(program.output.join("\n")).not.toContain("canary");
  });

  it("waits for one that came empty, and ends with 78 for one that is no secret, and at once for anything else that is wrong", async () => {
    await using directory = await temporaryDirectory();
    const mount = join(directory.path, "mount");
    await using wrong = startProgram([MAIN], { ...filesOf(mount), UPSTREAM_TIME_ZONE: "canary" }, directory.path);
    expect([await wrong.exited, wrong.stderr()]).toEqual([
      78,
      expect.stringMatching(/UPSTREAM_TIME_ZONE must be[^]*UPSTREAM_TOKEN_FILE names a file that cannot be read/),
    ]);
    await using program = startProgram([MAIN], filesOf(mount), directory.path);
    await program.line(({ msg }) => String(msg).startsWith("the start waits"));
    await mountAtOnce(mount, { token: " \n" });
    await program.line(({ reason }) => String(reason).startsWith("UPSTREAM_TOKEN_FILE names an empty file"));
    await writeFile(join(mount, "token"), "canary\ntoken");
    expect([await program.exited, program.stderr()]).toEqual([
      78,
      expect.stringContaining("UPSTREAM_TOKEN_FILE names a file whose content must not have a line break"),
    ]);
  });
});

describe("A gateway that starts while one of its files is being written", () => {
  const entry = { name: "web", sha256: "a".repeat(64), scopes: ["calls:read"] };
  const tokens = {
    JWT_JWKS_URL: "https://id.example/keys",
    JWT_ISSUER: "https://id.example/",
    JWT_AUDIENCE: "calls",
  };
  it.each([
    ["keys", "API_KEYS_FILE", [entry], {}],
    ["policies", "TOKEN_POLICY_FILE", [{ issuer: tokens.JWT_ISSUER, limits: { tasksPerDay: 5 } }], tokens],
    ["trusted documents", "TRUSTED_DOCUMENTS", { zone: "{ serviceTimeZone }" }, {}],
  ])("waits for the rest of its %s", async (_, name, content, own: Environment) => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, "settings.json");
    const text = JSON.stringify(content);
    await writeFile(file, text.slice(0, -2));
    const { AUTH: _open, ...others } = SERVICE;
    const env = { ...others, ...(name === "TRUSTED_DOCUMENTS" ? { AUTH: "none" } : {}), ...own, [name]: file };
    await using program = startProgram([MAIN], env, directory.path);
    const { reason } = await program.line(({ msg }) => String(msg).startsWith("the start waits"));
    expect(reason).toMatch(new RegExp(`^${name} is not JSON \\(line 1, column`));
    await writeFile(file, text);
    const { url } = await program.line(({ msg }) => msg === "the gateway listens");
    expect((await fetch(`${String(url)}/readyz`)).status).toBe(200);
  });
});

describe("A start that no waiting helps", () => {
  it.each([
    ["a database of a newer version", "update schema_version set version = 1000", /schema version 1000/],
    [
      "a database that lacks a table of its version",
      "drop table submissions",
      /lacks the tables submissions of schema/,
    ],
    ["a file that is no database", null, /file is not a database/],
  ])("ends with 78 at once: %s", async (_, change, reason) => {
    await using directory = await temporaryDirectory();
    const file = directory.database.slice("file:".length);
    if (change === null) await writeFile(file, "This is a letter, and it is long enough to have a header of 16 bytes.");
    else {
      await (await startGateway(NO_SERVICE, { DATABASE_URL: directory.database }))[Symbol.asyncDispose]();
      using database = new DatabaseSync(file);
      database.exec(change);
    }
    await using program = startProgram([MAIN], { ...SERVICE, DATABASE_URL: directory.database }, directory.path);
    expect([await program.exited, program.stderr()]).toEqual([78, expect.stringMatching(reason)]);
  });
});
