// Creates a SQLite or PostgreSQL database for a test.
import { DatabaseSync } from "node:sqlite";
import { onTestFinished } from "vitest";
import { createPostgresDatabase } from "../support/postgres/postgres.ts";
import { tempFile } from "./tempStore.ts";

export interface TestDatabase {
  url: string;
  /** Runs SQL without the store. A SQLite file must not be open in a store meanwhile. */
  ask(sql: string): Promise<Record<string, unknown>[]>;
}

export interface DatabaseUnderTest {
  name: "SQLite" | "PostgreSQL";
  /** A new, empty database that is deleted with the test. */
  create(): Promise<TestDatabase>;
}

export const sqlite: DatabaseUnderTest = {
  name: "SQLite",
  async create() {
    const file = tempFile();
    return {
      url: `file:${file}`,
      async ask(sql) {
        using database = new DatabaseSync(file);
        return database.prepare(sql).all();
      },
    };
  },
};

export const postgres: DatabaseUnderTest = {
  name: "PostgreSQL",
  async create() {
    const database = await createPostgresDatabase();
    onTestFinished(() => database[Symbol.asyncDispose]());
    return database;
  },
};

/** For `describe.each`. */
export const databases = [
  ["SQLite", sqlite],
  ["PostgreSQL", postgres],
] as const;
