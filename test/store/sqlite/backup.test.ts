import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { dialects } from "../../../src/store/migrations/dialects.ts";
import { schemaVersions } from "../../../src/store/migrations/schemaVersions.ts";
import { backUpDatabase, inspectBackup } from "../../../src/store/sqlite/backupFile.ts";
import { restoreBackup } from "../../../src/store/sqlite/restoreFile.ts";
import { openEventLog } from "../../../src/events/eventLog.ts";
import { silentLog } from "../../support/silentLog.ts";
import { callEnded, signer } from "../../events/callEnded.ts";
import { appendRows, eventRow, open, seqs, tempFile, tempStore, WHOLE } from "../tempStore.ts";

const NOW = Date.parse("2026-11-20T09:30:00.000Z");
const row = (sessionId: string) => eventRow({ sessionId });
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

/** A closed database with these calls, and its backup. */
async function backedUp(...calls: string[]) {
  const file = tempFile();
  const store = await open(`file:${file}`);
  await appendRows(store.events, calls.map(row));
  await store[Symbol.asyncDispose]();
  const backup = join(dirname(file), "backup.db");
  return { file, backup, facts: backUpDatabase(file, backup) };
}

async function callsIn(file: string): Promise<string[]> {
  const store = await open(`file:${file}`);
  const rows = await store.events.read(WHOLE);
  await store[Symbol.asyncDispose]();
  return rows.map(({ sessionId }) => sessionId);
}

describe("backUpDatabase()", () => {
  it("copies what is committed while a gateway has the database open and goes on writing", async () => {
    const file = tempFile();
    const store = await tempStore(`file:${file}`);
    await appendRows(store.events, [row("a"), row("b")]);
    const appending = appendRows(store.events, [row("late")]);
    const backup = join(dirname(file), "backup.db");
    const facts = backUpDatabase(file, backup);
    await appending;
    expect(facts).toMatchObject({
      file: backup,
      bytes: statSync(backup).size,
      schemaVersion: schemaVersions.length,
      lastReceivedAt: row("a").receivedAt,
    });
    expect([modeOf(backup), inspectBackup(backup)]).toEqual(["600", facts]);
    await appendRows(store.events, [row("later")]);
    expect((await callsIn(backup)).slice(0, 2)).toEqual(["a", "b"]);
    expect(facts.events).toBe((await callsIn(backup)).length);
  });

  it("never overwrites a file, and leaves nothing behind when it fails", async () => {
    const { file, backup } = await backedUp("a");
    const before = readFileSync(backup);
    expect(() => backUpDatabase(file, backup)).toThrow(`${backup} exists already. Choose another name, or remove it.`);
    expect(readFileSync(backup).equals(before)).toBe(true);
    const damaged = tempFile();
    writeFileSync(damaged, "no database ".repeat(1000));
    const other = join(dirname(damaged), "other.db");
    expect(() => backUpDatabase(damaged, other)).toThrow("cannot be backed up: file is not a database");
    expect(readdirSync(dirname(damaged))).toEqual(["switchboard.db", "switchboard.db-lock"]);
    expect(() => backUpDatabase(`${file}x`, other)).toThrow(
      `The database ${file}x does not exist. Check DATABASE_URL.`,
    );
  });
});

describe("inspectBackup()", () => {
  it("refuses a backup with one changed byte, wherever it is", async () => {
    const { backup } = await backedUp("a", "b");
    const bytes = readFileSync(backup);
    for (let at = 0; at < bytes.length; at += 1009) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      writeFileSync(backup, damaged);
      expect(() => inspectBackup(backup), `byte ${at}`).toThrow(
        /damaged: its checksum is wrong|it is not a SQLite database/,
      );
    }
    writeFileSync(backup, bytes.subarray(0, bytes.length - 4096));
    expect(() => inspectBackup(backup)).toThrow(/cannot be restored: /);
  });

  it("refuses what is no backup, and a backup of a newer version, by name and reason", async () => {
    const { file, backup } = await backedUp("a");
    const text = join(dirname(file), "text.db");
    writeFileSync(text, "hello");
    expect(() => inspectBackup(text)).toThrow(`${text} cannot be restored: it is not a SQLite database.`);
    expect(() => inspectBackup(`${text}x`)).toThrow(`${text}x does not exist.`);
    const newer = join(dirname(file), "newer.db");
    const database = new DatabaseSync(backup);
    database.exec("update schema_version set version = 99; pragma user_version = 0");
    database.prepare("vacuum into ?").run(newer);
    database.close();
    expect(() => inspectBackup(newer)).toThrow(`it has schema version 99, and this gateway knows up to`);
    const store = await tempStore(`file:${file}`);
    await appendRows(store.events, [row("b")]);
    expect(() => inspectBackup(file)).toThrow("is a database in use and not a backup");
  });
});

describe("restoreBackup()", () => {
  it("puts the backup in the place of the database, which stays beside it", async () => {
    const { file, backup, facts } = await backedUp("a");
    const store = await open(`file:${file}`);
    await appendRows(store.events, [row("lost")]);
    expect(() => restoreBackup(backup, file, NOW)).toThrow(
      `A gateway runs on the database ${file}. Stop it, then restore.`,
    );
    await store[Symbol.asyncDispose]();
    const replaced = `${file}.replaced-20261120T093000Z`;
    expect(restoreBackup(backup, file, NOW)).toEqual({ ...facts, database: file, replaced });
    expect([modeOf(file), await callsIn(file), await callsIn(replaced)]).toEqual(["600", ["a"], ["a", "lost"]]);
    expect(inspectBackup(backup)).toEqual(facts);
  });

  it("keeps the write-ahead log of a database that was killed, and works where there is no database", async () => {
    const { file, backup } = await backedUp("a");
    const store = await tempStore(`file:${file}`);
    await appendRows(store.events, [row("in the write-ahead log")]);
    const killed = tempFile();
    for (const end of ["", "-wal"]) writeFileSync(killed + end, readFileSync(file + end));
    writeFileSync(`${killed}-shm`, "of the database that was there");
    const { replaced } = restoreBackup(backup, killed, NOW);
    expect(existsSync(`${killed}-shm`)).toBe(false);
    expect([await callsIn(killed), await callsIn(replaced ?? "")]).toEqual([["a"], ["a", "in the write-ahead log"]]);
    const fresh = join(dirname(killed), "new", "switchboard.db");
    expect(restoreBackup(backup, fresh, NOW).replaced).toBeNull();
    expect(await callsIn(fresh)).toEqual(["a"]);
  });

  it.runIf(process.getuid?.() === 0)(
    "gives what root restores to the owner of the database or its folder",
    async () => {
      const { file, backup } = await backedUp("a");
      chownSync(file, 65_534, 65_534);
      restoreBackup(backup, file, NOW);
      const folder = join(dirname(file), "new");
      mkdirSync(folder);
      chownSync(folder, 65_533, 65_533);
      restoreBackup(backup, join(folder, "switchboard.db"), NOW);
      const owners = [file, `${file}-lock`, join(folder, "switchboard.db"), join(folder, "switchboard.db-lock")];
      expect(owners.map((path) => statSync(path).uid)).toEqual([65_534, 65_534, 65_533, 65_533]);
    },
  );

  it("changes nothing if the backup is damaged", async () => {
    const { file, backup } = await backedUp("a");
    const bytes = readFileSync(backup);
    bytes[5000] = (bytes[5000] ?? 0) ^ 1;
    writeFileSync(backup, bytes);
    const before = readFileSync(file);
    expect(() => restoreBackup(backup, file, NOW)).toThrow("it is damaged: its checksum is wrong.");
    expect(readFileSync(file).equals(before)).toBe(true);
    const strays = readdirSync(dirname(file)).filter((name) => /restoring|replaced/.test(name));
    expect(strays).toEqual([]);
  });
});

describe("A log that was restored", () => {
  async function logOf(file: string) {
    const store = await tempStore(`file:${file}`);
    const log = await openEventLog({ store: store.events, signer, clock: Date.now, checkpointMs: 1e6, log: silentLog });
    return { store, log };
  }
  const request = { filter: {}, revisions: true, first: 10, order: "oldestFirst" } as const;

  it("never gives a lost position again, and tells a reader with a lost cursor where to go on", async () => {
    const { file, backup } = await backedUp("a");
    const before = await logOf(file);
    const kept = before.log.markHead()();
    for (const sessionId of ["lost 1", "lost 2"]) await before.log.append(callEnded({ sessionId }), "WEBHOOK");
    const { events } = await before.log.page({ ...request, after: kept });
    await before.log[Symbol.asyncDispose]();
    await before.store[Symbol.asyncDispose]();

    for (const now of [NOW, NOW + 1000]) restoreBackup(backup, file, now);
    const { log, store } = await logOf(file);
    const atOnce = (await log.page({ ...request, after: null })).headCursor;
    expect(await log.append(callEnded({ sessionId: "lost 2" }), "RECONCILED")).toBe("appended");
    const [, again] = seqs(await store.events.read(WHOLE));
    expect(again).toBe(NOW + 1000 + 1_000_001);
    for (const { cursor } of events) {
      const refused = { code: "CURSOR_INVALID", cursor: kept };
      await expect(log.page({ ...request, after: cursor })).rejects.toMatchObject(refused);
      await expect(log.follow({ ...request, after: cursor })).rejects.toMatchObject(refused);
    }
    for (const after of [kept, atOnce]) {
      const page = await log.page({ ...request, after });
      expect(page.events.map(({ sessionId }) => sessionId)).toEqual(["lost 2"]);
    }
    await log[Symbol.asyncDispose]();
  });
});

describe("A database of an older schema version", () => {
  function createOld(version: number): string {
    const file = tempFile();
    const database = new DatabaseSync(file);
    database.exec("create table schema_version (version integer not null)");
    for (const statementsOf of schemaVersions.slice(0, version))
      for (const statement of statementsOf(dialects.sqlite)) database.exec(statement);
    database.exec(`insert into schema_version values (${version})`);
    database.close();
    return file;
  }

  it("is copied before its upgrade, until an erasure", async () => {
    const file = createOld(11);
    const copy = `${file}.schema-11`;
    writeFileSync(copy, "an earlier attempt");
    const store = await tempStore(`file:${file}`);
    expect([modeOf(copy), inspectBackup(copy).schemaVersion]).toEqual(["600", 11]);
    await store.eraser.scrub();
    expect(existsSync(copy)).toBe(false);
  });

  it("is not upgraded if it cannot be copied", async () => {
    const file = createOld(11);
    mkdirSync(`${file}.schema-11`);
    await expect(open(`file:${file}`)).rejects.toThrow(/could not be copied to .+\.schema-11 before its upgrade/);
    const after = new DatabaseSync(file);
    expect(after.prepare("select version from schema_version").get()).toEqual({ version: 11 });
    after.close();
  });

  it("is not copied if it is new or current", async () => {
    const { file } = await backedUp("a");
    await tempStore(`file:${file}`);
    expect(readdirSync(dirname(file)).filter((name) => name.includes(".schema-"))).toEqual([]);
  });
});
