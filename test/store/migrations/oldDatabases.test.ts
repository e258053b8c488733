// scripts/keepVersion.ts made the databases with earlier versions of the gateway.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { askAll, documentNames, type Answers } from "../../../scripts/keepVersion/answers.ts";
import { keptVersions } from "../../support/earlierVersion.ts";
import { NO_SERVICE, startGateway } from "../../support/gateway.ts";
import { databases, type DatabaseUnderTest, type TestDatabase } from "../databases.ts";
import { schemaVersions } from "../../../src/store/migrations/schemaVersions.ts";
import { RELEASED } from "./released.ts";

/** The versions of which there is a database: on PostgreSQL of a few alone, because each costs a second. */
const versionsOf = (kind: string) =>
  readdirSync(new URL("databases/", import.meta.url))
    .map((name) => Number(new RegExp(`^${kind}-(\\d+)\\.json$`, "i").exec(name)?.[1]))
    .filter((version) => version > 0)
    .toSorted((a, b) => a - b);

const fileAt = (name: string) => new URL(`databases/${name}`, import.meta.url);
const CREATE = "mutation($input: CreateTaskInput!) { createTask(input: $input) { replayed errors { code } } }";
/** A gateway updates them while it runs, or while it takes a task. */
const CHANGING = [
  "schema_version",
  "sqlite_sequence",
  "leases",
  "readers",
  "spent_points",
  "met_tasks",
  "open_calls",
  "known_lines",
  "viewer_usage",
];

/** A running gateway moves it on. */
const CHANGING_SETTING = "clock_accepted";

interface Recorded {
  /** The input of a submission in the database. */
  input: object;
  answers: Answers;
}

const recordedAt = (kind: string, version: number) =>
  JSON.parse(readFileSync(fileAt(`${kind}-${version}.json`), "utf8")) as Recorded;

async function openOld({ name, createEmpty }: DatabaseUnderTest, version: number): Promise<TestDatabase> {
  const database = await createEmpty();
  if (name === "PostgreSQL") await database.ask(readFileSync(fileAt(`postgres-${version}.sql`), "utf8"));
  else writeFileSync(fileURLToPath(database.url), gunzipSync(readFileSync(fileAt(`sqlite-${version}.db.gz`))));
  return database;
}

async function readRows(kind: string, { ask }: TestDatabase): Promise<Map<string, Record<string, unknown>[]>> {
  const tables = await ask(
    kind === "PostgreSQL"
      ? "select tablename as name from pg_tables where schemaname = 'public'"
      : "select name from sqlite_master where type = 'table'",
  );
  const kept = tables.map(({ name }) => String(name)).filter((name) => !CHANGING.includes(name));
  const rows = new Map<string, Record<string, unknown>[]>();
  for (const table of kept) rows.set(table, await ask(`select * from ${table}`));
  rows.set("settings", rows.get("settings")?.filter(({ name }) => name !== CHANGING_SETTING) ?? []);
  return rows;
}

describe.each(databases)("A database of an earlier schema version (%s)", (kind, database) => {
  const name = kind === "SQLite" ? "sqlite" : "postgres";

  it.each(versionsOf(name))("%i keeps its rows, gives the same answers and calls nobody again", async (version) => {
    const { input, answers } = recordedAt(name, version);
    const old = await openOld(database, version);
    const before = await readRows(kind, old);
    {
      await using gateway = await startGateway(NO_SERVICE, { DATABASE_URL: old.url, EVENT_RETENTION_DAYS: "36500" });
      expect(await askAll(gateway, Object.keys(answers))).toEqual(answers);
      const { data } = await gateway.ask(CREATE, { input });
      expect(data).toEqual({ createTask: { replayed: true, errors: [] } });
    }
    const after = await readRows(kind, old);
    for (const [table, rows] of before) {
      const columns = Object.keys(rows[0] ?? {});
      const now = after.get(table)?.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])));
      expect(now, table).toEqual(expect.arrayContaining(rows));
    }
  });
});

describe("The versions that are kept for tests of upgrades", () => {
  it("have a database of each released schema version, and the newest answers every document", () => {
    // Versions 3 to 5 were never whole.
    const versions = [1, 2, ...Array.from({ length: RELEASED - 5 }, (_, at) => at + 6)];
    expect(versionsOf("sqlite")).toEqual(versions);
    // As docs/operating.md says.
    expect(versionsOf("postgres")).toEqual([1, 8, ...Array.from({ length: RELEASED - 11 }, (_, at) => at + 12)]);
    const { answers } = recordedAt("sqlite", RELEASED);
    expect(Object.keys(answers)).toEqual(documentNames);
  });

  it("have the sources of the newest released schema version and of one before it", () => {
    expect(keptVersions()).toHaveLength(2);
    expect(keptVersions()).toContain(RELEASED);
  });

  it("are all schema versions but the newest two, which are under development", () => {
    // From 18 to 19: compactRecipients.test.ts.
    expect(schemaVersions.length - RELEASED).toBeLessThanOrEqual(2);
  });
});
