import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openSqlite } from "../../src/store/sqlite.ts";
import { openStore } from "../../src/store/store.ts";
import { eventRow, tempFile, tempStore } from "./tempStore.ts";

async function refusal(file: string): Promise<string> {
  const error = await openStore(file).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(Error);
  const { message } = error as Error;
  expect(message).not.toContain("\n");
  return message;
}

function pragma(file: string, name: string): unknown {
  using database = new DatabaseSync(file);
  return Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0];
}

describe("the database is opened so that what is committed is on disk", () => {
  it("with a write-ahead log that every commit syncs", () => {
    const { database } = openSqlite(tempFile());
    const read = (name: string) => Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0];
    expect([read("journal_mode"), read("synchronous"), read("locking_mode"), read("foreign_keys")]).toEqual([
      "wal",
      2,
      "exclusive",
      1,
    ]);
    database.close();
  });

  it("in a folder that is made where there is none", async () => {
    const file = join(tempFile("new"), "deep", "switchboard.db");
    const store = await tempStore(file);
    expect(await store.isOpen()).toBe(true);
  });

  it("and the mode stays with the file", async () => {
    const file = tempFile();
    await (await openStore(file))[Symbol.asyncDispose]();
    expect(pragma(file, "journal_mode")).toBe("wal");
    expect(pragma(file, "integrity_check")).toBe("ok");
  });
});

describe("a database is one gateway's", () => {
  it("and a second one is refused in one line", async () => {
    const file = tempFile();
    const store = await tempStore(file);
    expect(await refusal(file)).toBe(`The database ${file} cannot be opened: another process has it open`);
    expect(await store.isOpen()).toBe(true);
    await store.events.append([eventRow({ sessionId: "still open" })]);
  });

  it("until the first one has closed it", async () => {
    const file = tempFile();
    const first = await openStore(file);
    await first.events.append([eventRow({ sessionId: "a" })]);
    await first[Symbol.asyncDispose]();
    const second = await tempStore(file);
    expect(await second.events.head()).toBe(1);
    expect(second.sealKey).toEqual(first.sealKey);
  });
});

describe("a file that cannot be used is refused in one line", () => {
  it("when a newer gateway has written it", async () => {
    const file = tempFile();
    await (await openStore(file))[Symbol.asyncDispose]();
    {
      using database = new DatabaseSync(file);
      database.exec("pragma user_version = 1000");
    }
    expect(await refusal(file)).toMatch(/schema version 1000; this gateway knows up to \d+\.$/);
    expect(pragma(file, "user_version")).toBe(1000);
  });

  it("when it is no database", async () => {
    const file = tempFile();
    writeFileSync(file, "this is a letter, and no database at all. ".repeat(100));
    expect(await refusal(file)).toBe(`The database ${file} cannot be opened: file is not a database`);
  });

  it("when it is a folder", async () => {
    const file = tempFile();
    mkdirSync(file);
    expect(await refusal(file)).toContain(file);
  });

  it("when a file stands where its folder should be", async () => {
    const file = tempFile();
    writeFileSync(file, "");
    expect(await refusal(join(file, "switchboard.db"))).toMatch(/ENOTDIR|EEXIST/);
  });

  it("when nothing may be made there", async () => {
    expect(await refusal("/proc/switchboard.db")).toMatch(/^The database \/proc\/switchboard.db cannot be opened: ./);
  });

  it("and nothing is left open then", async () => {
    const file = tempFile();
    await (await openStore(file))[Symbol.asyncDispose]();
    {
      using database = new DatabaseSync(file);
      database.exec("pragma user_version = 1000");
    }
    await refusal(file);
    using database = new DatabaseSync(file);
    database.exec("pragma user_version = 0; begin exclusive; commit");
  });
});

describe("the schema is brought up to date", () => {
  it("once: another start changes nothing", async () => {
    const file = tempFile();
    const schema = () => {
      using database = new DatabaseSync(file);
      return [
        database.prepare("pragma user_version").get(),
        database.prepare("select name, sql from sqlite_schema order by name").all(),
        database.prepare("select * from settings").all(),
      ];
    };
    await (await openStore(file))[Symbol.asyncDispose]();
    const first = schema();
    await (await openStore(file))[Symbol.asyncDispose]();
    expect(schema()).toEqual(first);
    expect(first[0]).toEqual({ user_version: 1 });
  });

  it("whole or not at all", async () => {
    const file = tempFile();
    {
      using database = new DatabaseSync(file);
      database.exec("create table submissions (id text)");
    }
    await refusal(file);
    using database = new DatabaseSync(file);
    expect(database.prepare("select name from sqlite_schema where type = 'table'").all()).toEqual([
      { name: "submissions" },
    ]);
    expect(pragma(file, "user_version")).toBe(0);
  });
});

describe("the key that cursors are sealed with", () => {
  it("is long, and another one in each database", async () => {
    const [a, b] = [await tempStore(), await tempStore()];
    expect(a.sealKey).toHaveLength(32);
    expect(a.sealKey).not.toEqual(b.sealKey);
  });
});
