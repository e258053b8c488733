// node:sqlite under Kysely, opened so that a committed transaction is on disk: WAL with synchronous=FULL, both read back,
// for a file system or a build that quietly does otherwise would make every 200 a lie.
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { SqliteDialect, type SqliteDatabase, type SqliteStatement } from "kysely";

export interface SqliteFile {
  dialect: SqliteDialect;
  database: DatabaseSync;
}

/** Throws where the file cannot be opened, belongs to another process, or cannot be made durable. */
export function openSqlite(file: string): SqliteFile {
  if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // One process owns the file: a second one could commit between this one's commits and never be heard of here.
    setAndReadBack(database, "locking_mode", "exclusive", "exclusive");
    setAndReadBack(database, "journal_mode", "wal", file === ":memory:" ? "memory" : "wal");
    setAndReadBack(database, "synchronous", "full", 2);
    setAndReadBack(database, "foreign_keys", "on", 1);
  } catch (error) {
    database.close();
    throw error;
  }
  return { database, dialect: new SqliteDialect({ database: underKysely(database) }) };
}

function setAndReadBack(database: DatabaseSync, pragma: string, value: string, expected: string | number): void {
  database.exec(`pragma ${pragma} = ${value}`);
  const found = Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0];
  if (found !== expected) throw new Error(`SQLite kept ${pragma} at ${String(found)} where ${value} was asked for`);
}

const STATEMENTS_KEPT = 200;

/** The few members of better-sqlite3 that Kysely's dialect calls, over node:sqlite. */
function underKysely(database: DatabaseSync): SqliteDatabase {
  const kept = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const known = kept.get(sql);
    if (known) return known;
    if (kept.size >= STATEMENTS_KEPT) kept.clear();
    const statement = database.prepare(sql);
    kept.set(sql, statement);
    return statement;
  };
  return {
    prepare(sql): SqliteStatement {
      const statement = prepared(sql);
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
        run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
        iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
      };
    },
    close: () => database.close(),
  };
}
