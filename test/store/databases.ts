// The two databases that the store is made for: what is promised of it is promised on both.
import { DatabaseSync } from "node:sqlite";
import { onTestFinished } from "vitest";
import { createPostgresDatabase } from "../support/postgres.ts";
import { tempFile } from "./tempStore.ts";

export interface TestDatabase {
  url: string;
  /** Asks it past the store; a SQLite file only while no store has it open. */
  ask(sql: string): Promise<Record<string, unknown>[]>;
}

export interface DatabaseUnderTest {
  name: "SQLite" | "PostgreSQL";
  /** A new, empty one that goes with the test. */
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
