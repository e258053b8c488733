// The page docs/postgresql.md, tried: its role and its database, and TLS with a private authority.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { createLogger } from "../../../src/logger.ts";
import { readConfig } from "../../../src/config/config.ts";
import { openStore } from "../../../src/store/store.ts";
import { textAt } from "../../house/sources.ts";
import { askPostgres } from "../../support/postgres/askPostgres.ts";
import { until } from "../../support/until.ts";
import { openRefusal } from "../contract/open.ts";
import { appendRows, eventRow, tempStore } from "../tempStore.ts";

const PASSWORD = "a long random word";
const page = textAt("docs/postgresql.md");
const blocks = (language: string) =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```/gms)].filter(([, of]) => of === language).map(([, , text = ""]) => text);

const ask = (sql: string) => askPostgres(inject("postgresUrl"), sql);
const name = `page_${process.pid}_${Date.now()}`;
/** The address of the page's database, with the server of the tests in place of db.example. */
const urlOf = (query = "", host = "localhost") => {
  const { port } = new URL(inject("postgresUrl"));
  return `postgres://${name}:${encodeURIComponent(PASSWORD)}@${host}:${port}/${name}${query}`;
};

beforeAll(async () => {
  const [statements = ""] = blocks("sql");
  const own = statements.replace(/\bcalls\b|\bswitchboard\b/g, name);
  // CREATE DATABASE must be a statement of its own.
  for (const statement of own.split(";").filter((text) => text.trim() !== "")) await ask(statement);
});
afterAll(async () => {
  await ask(`drop database ${name} with (force)`);
  await ask(`drop role ${name}`);
});

describe("The role of docs/postgresql.md", () => {
  it("migrates, appends, purges, erases and cleans up", async () => {
    const store = await tempStore(urlOf());
    const rows = ["a", "b"].map((sessionId) => eventRow({ sessionId, caller: "13800010001" }));
    expect(await appendRows(store.events, rows)).toEqual([true, true]);
    expect(await store.events.purge("2027", 1)).toBe(1);
    const all = { number: "", event: () => true, delivery: () => true, text: () => true, inputLine: () => true };
    const by = { actor: "web", at: "2026-11-20T09:30:00.000Z" };
    expect(await store.eraser.erase(all, async () => undefined, by)).toMatchObject({ events: 1 });
    await store.eraser.scrub();
    expect(await store.isWritable()).toBe(true);
    const rights = "rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls";
    expect(await ask(`select ${rights} as has_more from pg_roles where rolname = '${name}'`)).toEqual([
      { has_more: false },
    ]);
  });
});

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

describe.skipIf(!hasOpenssl)(`TLS to PostgreSQL${hasOpenssl ? "" : " (skipped: openssl is not installed)"}`, () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "switchboard-authority-"));
    const script = blocks("sh").find((text) => text.startsWith("openssl")) ?? "";
    execFileSync("sh", ["-e", "-c", script.replaceAll("db.example", "localhost")], { cwd: folder, stdio: "ignore" });
    const [{ data } = { data: "" }] = await ask("select current_setting('data_directory') as data");
    const { uid, gid } = statSync(String(data));
    for (const file of ["server.crt", "server.key"]) {
      copyFileSync(join(folder, file), join(String(data), file));
      chownSync(join(String(data), file), uid, gid);
      chmodSync(join(String(data), file), 0o600);
    }
    // Connections without TLS, those of the other tests, go on.
    await ask("alter system set ssl = on");
    await ask("select pg_reload_conf()");
    await until(async () => (await ask("select current_setting('ssl') as it"))[0]?.["it"] === "on");
  });
  afterAll(async () => {
    await ask("alter system reset ssl");
    await ask("select pg_reload_conf()");
    rmSync(folder, { recursive: true });
  });

  const sessions = async () =>
    (await ask(`select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where usename = '${name}'`)).map(
      ({ ssl }) => ssl,
    );

  it.each(["verify-full", "verify-ca", "require", "prefer"])("with sslmode=%s encrypts every session", async (mode) => {
    const url = urlOf(`?sslmode=${mode}&sslrootcert=${join(folder, "ca.crt")}`);
    const warned = vi.spyOn(process, "emitWarning");
    onTestFinished(() => warned.mockRestore());
    await using store = await openStore({
      url,
      fsync: "elsewhere",
      log: createLogger({ level: "silent", secrets: [] }),
    });
    await using _listening = store.onNotify(() => undefined);
    await appendRows(store.events, [eventRow({ sessionId: mode })]);
    expect(await sessions()).toEqual([true]);
    expect(warned).not.toHaveBeenCalled();
  });

  it.each(["verify-full", "require", "prefer"])("with sslmode=%s refuses an unknown authority", async (mode) => {
    expect(await openRefusal(urlOf(`?sslmode=${mode}`))).toMatch(
      /cannot be opened: unable to verify the first certificate/,
    );
  });

  it("refuses a certificate of another host", async () => {
    const query = `?sslmode=require&sslrootcert=${join(folder, "ca.crt")}`;
    expect(await openRefusal(urlOf(query, "127.0.0.1"))).toMatch(/cannot be opened: .*127\.0\.0\.1/);
  });

  it("tells in one line that the file of the authority is missing", async () => {
    const line = await openRefusal(urlOf("?sslmode=verify-full&sslrootcert=/nowhere/ca.crt"));
    expect(line).toMatch(/cannot be opened: ENOENT: .*\/nowhere\/ca\.crt/);
    expect(line).not.toContain(encodeURIComponent(PASSWORD));
  });

  it("is used without a check, and with a warning, if sslmode=no-verify asks for that", async () => {
    const lines: string[] = [];
    const log = createLogger({ level: "warn", secrets: [], write: (line) => lines.push(line) });
    await using _store = await openStore({ url: urlOf("?sslmode=no-verify"), fsync: "elsewhere", log });
    expect(await sessions()).toEqual([true]);
    expect(lines.join("")).toContain("the certificate of PostgreSQL is not checked");
  });
});

describe("A database address without a password", () => {
  it.each(["", "\n", " \r\n"])("takes it from PGPASSWORD, without %j behind it", async (behind) => {
    vi.stubEnv("PGPASSWORD", PASSWORD + behind);
    onTestFinished(() => void vi.unstubAllEnvs());
    const DATABASE_URL = urlOf().replace(`:${encodeURIComponent(PASSWORD)}@`, "@");
    const store = await tempStore(readConfig({ DATABASE_URL, PGPASSWORD: process.env["PGPASSWORD"] }).databaseUrl);
    expect(await store.isWritable()).toBe(true);
  });
});
