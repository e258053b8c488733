// Databases whose version said that they were whole, while each request failed that needed what they lacked. Others met it as a table that
// was lost outside of the migrations (github.com/reactive-resume/app/pull/3513), and as unique keys that a restore did not bring back
// (github.com/SEED-platform/seed/issues/2096, github.com/matrix-org/synapse/issues/7039).
import { DatabaseSync } from "node:sqlite";
import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { inspectDatabase } from "../../../src/store/inspectDatabase.ts";
import { schemaVersions } from "../../../src/store/migrations/schemaVersions.ts";
import { FinalError } from "../../../src/util/start/finalError.ts";
import { databases, sqlite, type TestDatabase } from "../databases.ts";
import { open, tempFile } from "../tempStore.ts";
import { makeTables, statementsUpTo } from "./databaseOfVersion.ts";

const LATEST = schemaVersions.length;
const settle = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Error) => error,
  );

/** A start and `switchboard check` must refuse it alike. Returns the reason, and whether waiting may help. */
async function expectRefusal({ url }: Pick<TestDatabase, "url">): Promise<{ reason: string; isFinal: boolean }> {
  const checked = await settle(inspectDatabase(url, "elsewhere"));
  const started = await settle(open(url));
  expect(started?.message).toMatch(/^The database \S+ cannot be opened: [^\n]+$/);
  expect(started?.message).toContain(checked?.message);
  expect(started instanceof FinalError).toBe(checked instanceof FinalError);
  return { reason: String(checked?.message), isFinal: checked instanceof FinalError };
}

async function whole(create: () => Promise<TestDatabase>): Promise<TestDatabase> {
  const database = await create();
  await (await open(database.url))[Symbol.asyncDispose]();
  return database;
}

describe.each(databases)("A database without all of its tables (%s)", (name, { create, createEmpty }) => {
  const kind = name === "SQLite" ? "sqlite" : "postgres";

  async function madeBy(statements: readonly string[], version: number): Promise<TestDatabase> {
    const database = await createEmpty();
    await makeTables(database.ask, statements, version);
    return database;
  }

  it("is refused where an earlier state of its version made it, and the start names what came later", async () => {
    const later = (statement: string) => /alert|table call_again|on call_again|column tool/.test(statement);
    const database = await madeBy(
      statementsUpTo(kind, LATEST).filter((each) => !later(each)),
      LATEST,
    );
    const { reason, isFinal } = await expectRefusal(database);
    expect(reason).toBe(
      `the database lacks the tables call_again, alerts, alert_states, alert_notices; the columns audit.tool of schema version ${LATEST}. Restore a whole backup, or begin with a new database: one that a version under development made cannot be upgraded`,
    );
    expect(isFinal).toBe(true);
  });

  it("is refused after a table was dropped by hand, and is used again when the table is back", async () => {
    const database = await whole(create);
    await database.ask("alter table do_not_call rename to do_not_call_old");
    const { reason, isFinal } = await expectRefusal(database);
    expect([reason, isFinal]).toEqual([expect.stringMatching(/^the database lacks the tables do_not_call of /), true]);
    await database.ask("alter table do_not_call_old rename to do_not_call");
    expect(await inspectDatabase(database.url, "elsewhere")).toEqual({ version: LATEST, latest: LATEST });
    expect(await settle(open(database.url).then((store) => store[Symbol.asyncDispose]()))).toBeNull();
  });

  it("is refused before an upgrade from an older version, of which it lacks a table, and stays as it is", async () => {
    const without = statementsUpTo(kind, LATEST - 1).filter((each) => !each.includes("raw_deliveries"));
    const database = await madeBy(without, LATEST - 1);
    const { reason, isFinal } = await expectRefusal(database);
    expect(reason).toContain(`the database lacks the tables raw_deliveries of schema version ${LATEST - 1}. `);
    expect(isFinal).toBe(true);
    expect(await database.ask("select version from schema_version")).toEqual([{ version: LATEST - 1 }]);
  });

  it("is refused without the unique keys that a restore adds last, because they keep a task from being sent twice", async () => {
    const constrained = ", unique (viewer, idempotency_key)";
    const statements = statementsUpTo(kind, LATEST).map((each) => each.replaceAll(/\s+/g, " "));
    expect(statements.filter((each) => each.includes(constrained))).toHaveLength(1);
    const database = await madeBy(
      statements.map((each) => each.replace(constrained, "")),
      LATEST,
    );
    const { reason, isFinal } = await expectRefusal(database);
    expect(reason).toMatch(/^the database lacks the unique keys submissions \(viewer, idempotency_key\) of /);
    // A restore of PostgreSQL may be on its way to them.
    expect([isFinal, /Wait until a restore has ended/.test(reason)]).toEqual(
      name === "SQLite" ? [true, false] : [false, true],
    );
  });

  it("is waited for while it has tables and no schema version, as in the middle of a restore", async () => {
    const database = await whole(create);
    await database.ask("delete from schema_version");
    const { reason, isFinal } = await expectRefusal(database);
    expect([reason, isFinal]).toEqual([expect.stringMatching(/no schema version, .*Wait until a restore/), false]);
    await database.ask(`insert into schema_version values (${LATEST})`);
    expect((await inspectDatabase(database.url, "elsewhere")).version).toBe(LATEST);
  });

  it("is accepted with tables, columns and indexes of its owner beside the gateway's", async () => {
    const database = await whole(create);
    await database.ask("create table notes (id integer primary key, text text)");
    await database.ask("alter table audit add column note text");
    await database.ask("create unique index own on audit (note)");
    expect(await inspectDatabase(database.url, "elsewhere")).toEqual({ version: LATEST, latest: LATEST });
    expect(await settle(open(database.url).then((store) => store[Symbol.asyncDispose]()))).toBeNull();
  });
});

it("Each table and each column that the migrations make is missed by `check` where it alone is not there (SQLite)", async () => {
  const { url, ask } = await whole(sqlite.create);
  const rows = await ask(`select tables.name as tab, each.name as col
    from sqlite_schema as tables, pragma_table_info(tables.name) as each
    where tables.type = 'table' and tables.name not like 'sqlite%' and tables.name <> 'schema_version'`);
  const columns = rows.map(({ tab, col }) => ({ tab: String(tab), col: String(col) }));
  const cases = [
    ...[...new Set(columns.map(({ tab }) => tab))].map((tab) => [
      `alter table ${tab} rename to other`,
      `the tables ${tab} of`,
    ]),
    ...columns.map(({ tab, col }) => [`alter table ${tab} rename column ${col} to other`, `the columns ${tab}.${col}`]),
  ] as [sql: string, named: string][];
  expect(cases.length).toBeGreaterThan(200);
  const file = tempFile();
  for (const [sql, named] of cases) {
    copyFileSync(fileURLToPath(url), file);
    {
      using database = new DatabaseSync(file);
      database.exec(sql);
    }
    expect((await settle(inspectDatabase(`file:${file}`, "elsewhere")))?.message).toContain(`lacks ${named}`);
  }
});
