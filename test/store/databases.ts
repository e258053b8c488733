// Creates a SQLite or PostgreSQL database for a test.
import { DatabaseSync } from "node:sqlite";
import { onTestFinished } from "vitest";
import { takeMigratedDatabase } from "../support/postgres/migratedDatabase.ts";
import { createPostgresDatabase, type PostgresDatabase } from "../support/postgres/postgres.ts";
import { tempFile } from "./tempStore.ts";

/** Deleted with the test, or when it is disposed of before. */
export interface TestDatabase extends AsyncDisposable {
  url: string;
  /** Runs SQL without the store. A SQLite file must not be open in a store meanwhile. */
  ask(sql: string): Promise<Record<string, unknown>[]>;
}

export interface DatabaseUnderTest {
  name: "SQLite" | "PostgreSQL";
  /** A database without rows, for this test alone. It may have its tables already. */
  create(): Promise<TestDatabase>;
  /** The same without tables. */
  createEmpty(): Promise<TestDatabase>;
}

async function createFile(): Promise<TestDatabase> {
  const file = tempFile();
  return {
    url: `file:${file}`,
    async ask(sql) {
      using database = new DatabaseSync(file);
      return database.prepare(sql).all();
    },
    async [Symbol.asyncDispose]() {},
  };
}

export const sqlite: DatabaseUnderTest = { name: "SQLite", create: createFile, createEmpty: createFile };

async function ofTest(creating: Promise<PostgresDatabase>): Promise<TestDatabase> {
  const owned = new AsyncDisposableStack();
  const database = owned.use(await creating);
  onTestFinished(() => owned.disposeAsync());
  return { ...database, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

export const postgres: DatabaseUnderTest = {
  name: "PostgreSQL",
  create: () => ofTest(takeMigratedDatabase()),
  createEmpty: () => ofTest(createPostgresDatabase()),
};

/** For `describe.each`. */
export const databases = [
  ["SQLite", sqlite],
  ["PostgreSQL", postgres],
] as const;
