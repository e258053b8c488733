import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely, sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { startProgram } from "../support/program.ts";
import { openRefusal } from "./contract/open.ts";
import { sqlite } from "./databases.ts";
import { appendRows, eventRow, open, tempFile, tempStore } from "./tempStore.ts";

const STORE = new URL("../../src/store/store.ts", import.meta.url).href;
const refusal = (file: string) => openRefusal(`file:${file}`);

describe("Opening a SQLite file", () => {
  it("uses a write-ahead log that every commit syncs", async () => {
    const db = new Kysely<object>({ dialect: await openSqlite(tempFile()) });
    const read = async (name: string) => {
      const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(db);
      return Object.values(rows[0] ?? {})[0];
    };
    const found = [];
    for (const name of ["journal_mode", "synchronous", "foreign_keys"]) found.push(await read(name));
    await db.destroy();
    expect(found).toEqual(["wal", 2, 1]);
  });

  it("creates the database's folder", async () => {
    const file = join(tempFile("new"), "deep", "switchboard.db");
    const store = await tempStore(`file:${file}`);
    expect(await store.isWritable()).toBe(true);
  });

  it("is refused for a relative path where the working folder was removed, and does not look for it for ever", () => {
    const script = `
      import { rmdirSync } from "node:fs";
      rmdirSync(process.cwd());
      const { openStore } = await import(${JSON.stringify(STORE)});
      const log = { info() {}, warn() {}, error() {} };
      await openStore({ url: "file:./data/switchboard.db", log });`;
    const cwd = tempFile("gone");
    mkdirSync(cwd);
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
      cwd,
      encoding: "utf8",
      timeout: 120_000,
    });
    // Ended by the time limit, it would have no status.
    expect(status).toBe(1);
    expect(stderr).toMatch(/switchboard\.db cannot be opened: ENOENT/);
  });

  it("keeps the WAL mode in the file", async () => {
    const { url, ask } = await sqlite.create();
    await (await open(url))[Symbol.asyncDispose]();
    expect((await ask("pragma journal_mode"))[0]).toEqual({ journal_mode: "wal" });
    expect((await ask("pragma integrity_check"))[0]).toEqual({ integrity_check: "ok" });
  });
});

describe("A SQLite file that is open", () => {
  it("is refused to a second gateway in one line", async () => {
    const file = tempFile();
    const store = await tempStore(`file:${file}`);
    expect(await refusal(file)).toBe(`The database ${file} cannot be opened: another process has it open`);
    expect(await store.isWritable()).toBe(true);
    await appendRows(store.events, [eventRow({ sessionId: "still open" })]);
  });

  it("is refused while another process has it open", async () => {
    const file = tempFile();
    const program = `import { openStore } from ${JSON.stringify(import.meta.resolve("../../src/store/store.ts"))};
      const log = new Proxy({}, { get: () => () => undefined });
      await openStore({ url: ${JSON.stringify(`file:${file}`)}, log });
      console.log(JSON.stringify({ open: true }));
      setInterval(() => undefined, 1000);`;
    const holder = tempFile("holder.mjs");
    writeFileSync(holder, program);
    await using other = startProgram([holder], {});
    await other.line(({ open }) => open === true);
    expect(await refusal(file)).toBe(`The database ${file} cannot be opened: another process has it open`);
    other.process.kill("SIGKILL");
    await other.exited;
    expect(await (await tempStore(`file:${file}`)).isWritable()).toBe(true);
  });

  it("is refused through a symbolic link", async () => {
    const file = tempFile();
    const store = await tempStore(`file:${file}`);
    const link = tempFile("link.db");
    symlinkSync(file, link);
    expect(await refusal(link)).toBe(`The database ${link} cannot be opened: another process has it open`);
    expect(await store.isWritable()).toBe(true);
  });

  it("is locked for other programs that use SQLite's lock", async () => {
    const file = tempFile();
    await tempStore(`file:${file}`);
    using older = new DatabaseSync(file, { timeout: 0 });
    older.exec("pragma locking_mode = exclusive");
    expect(() => older.exec("begin immediate; create table other (a); commit")).toThrow("database is locked");
  });

  it("is open to the next gateway after it was closed", async () => {
    const url = `file:${tempFile()}`;
    const first = await open(url);
    await appendRows(first.events, [eventRow({ sessionId: "a" })]);
    await first[Symbol.asyncDispose]();
    expect(await (await tempStore(url)).events.head()).toBe(1);
  });
});

describe("A path that is no SQLite file", () => {
  it("is refused if the file is not a database", async () => {
    const file = tempFile();
    writeFileSync(file, "this is a letter, and no database at all. ".repeat(100));
    expect(await refusal(file)).toBe(`The database ${file} cannot be opened: file is not a database`);
  });

  it("keeps the mode of a file that is not a database", async () => {
    const file = tempFile("notes.txt");
    writeFileSync(file, "these are notes, and no database", { mode: 0o644 });
    await refusal(file);
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });

  it.each(["a socket", "a folder"])("is refused if it is not a regular file: %s", async (kind) => {
    const path = tempFile("none");
    if (kind === "a folder") mkdirSync(path);
    const server = createServer();
    onTestFinished(() => void server.close());
    if (kind === "a socket") await once(server.listen(path), "listening");
    const { mode } = statSync(path);
    expect(await refusal(path)).toBe(`The database ${path} cannot be opened: it is not a regular file`);
    expect(statSync(path).mode).toBe(mode);
  });

  it("is refused if its folder is a file", async () => {
    const file = tempFile();
    writeFileSync(file, "");
    expect(await refusal(join(file, "switchboard.db"))).toMatch(/ENOTDIR|EEXIST/);
  });

  it("is not reported as open in another process because it contains the word locked", async () => {
    const file = tempFile("locked");
    writeFileSync(file, "");
    expect(await refusal(join(file, "switchboard.db"))).toMatch(/ENOTDIR|EEXIST/);
  });

  it("is refused in a folder without write permission", async () => {
    expect(await refusal("/proc/switchboard.db")).toMatch(/^The database \/proc\/switchboard.db cannot be opened: ./);
  });
});
