// Creates a SQLite or PostgreSQL database for a test.
import { DatabaseSync } from "node:sqlite";
import { onTestFinished } from "vitest";
import { takeMigratedDatabase } from "../support/postgres/migratedDatabase.ts";
import { createPostgresDatabase, type PostgresDatabase } from "../support/postgres/postgres.ts";
import { tempFile } from "./tempStore.ts";

export interface TestDatabase {
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
  };
}

export const sqlite: DatabaseUnderTest = { name: "SQLite", create: createFile, createEmpty: createFile };

async function ofTest(creating: Promise<PostgresDatabase>): Promise<TestDatabase> {
  const database = await creating;
  onTestFinished(() => database[Symbol.asyncDispose]());
  return database;
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
