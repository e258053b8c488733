import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLogger, type LogLevel } from "../../src/logger.ts";
import { openDatabase } from "../../src/store/database.ts";
import { logSlowStatements } from "../../src/store/slowStatements.ts";
import { noStoreObserver } from "../../src/store/storeObserver.ts";
import { postgres, sqlite } from "./databases.ts";

function logAt(level: LogLevel) {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { lines, log: createLogger({ level, secrets: [], write }) };
}

/** Each takes longer than 100 ms on any machine, and has a parameter. */
const slow = {
  SQLite: sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000000)
    select count(*), ${"canary-parameter"} as it from n`,
  PostgreSQL: sql`select pg_sleep(0.2), ${"canary-parameter"} as it, 'canary-literal'`,
};

describe.each([sqlite, postgres])("A statement that takes more than 100 ms on $name", ({ name, create }) => {
  async function run(level: LogLevel) {
    const { lines, log } = logAt(level);
    const database = await openDatabase((await create()).url, log, { fsync: "elsewhere" });
    onTestFinished(() => database[Symbol.asyncDispose]());
    await slow[name].execute(database.db);
    return lines.filter(({ sql: text }) => /pg_sleep|recursive/.test(String(text)));
  }

  it("has a line at LOG_LEVEL=debug with its time, and without its parameters", async () => {
    const lines = await run("debug");
    expect(lines).toMatchObject([
      { level: "debug", msg: "a statement took long", database: name === "SQLite" ? "sqlite" : "postgres" },
    ]);
    expect(lines[0]?.["ms"]).toBeGreaterThan(100);
    expect(JSON.stringify(lines)).not.toContain("canary");
  });

  it("has no line at LOG_LEVEL=info", async () => {
    expect(await run("info")).toEqual([]);
  });
});

describe("The text of a statement in the log", () => {
  it("has no line of a quick statement, no quoted text, and at most 500 characters", () => {
    const { lines, log } = logAt("debug");
    const { answered } = logSlowStatements(noStoreObserver, log);
    answered("sqlite", 100, () => ["select 1"]);
    answered("sqlite", 101.4, () => ["begin", "select 'it''s canary'\n  from events"]);
    answered("sqlite", 500, () => ["x".repeat(1000)]);
    expect(lines.map(({ ms, sql: text }) => [ms, text])).toEqual([
      [101, "begin; select '…' from events"],
      [500, `${"x".repeat(500)}…`],
    ]);
  });
});
