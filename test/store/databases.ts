// Creates a SQLite or PostgreSQL database for a test.
import { DatabaseSync } from "node:sqlite";
import { inject, onTestFinished } from "vitest";
import { migratedDatabase } from "../support/postgres/migratedDatabase.ts";
import { createPostgresDatabase } from "../support/postgres/postgres.ts";
import { tempFile } from "./tempStore.ts";

export interface TestDatabase {
  url: string;
  /** Runs SQL without the store. A SQLite file must not be open in a store meanwhile. */
  ask(sql: string): Promise<Record<string, unknown>[]>;
}

export interface DatabaseUnderTest {
  name: "SQLite" | "PostgreSQL";
  /** A new database without rows that is deleted with the test. It may have its tables already. */
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

async function createOnServer(options?: string): Promise<TestDatabase> {
  const database = await createPostgresDatabase(inject("postgresUrl"), options);
  onTestFinished(() => database[Symbol.asyncDispose]());
  return database;
}

export const postgres: DatabaseUnderTest = {
  name: "PostgreSQL",
  create: async () => createOnServer(`template ${await migratedDatabase(inject("postgresUrl"))} strategy = file_copy`),
  createEmpty: () => createOnServer(),
};

/** For `describe.each`. */
export const databases = [
  ["SQLite", sqlite],
  ["PostgreSQL", postgres],
] as const;
