import { onTestFinished } from "vitest";
import { silentLog } from "../support/silentLog.ts";
import { openDatabase, type Database } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrations/migrations.ts";
import { tempFile } from "../store/tempStore.ts";
import { createPostgresDatabase } from "../support/postgres.ts";

/** The address of an empty database that goes with the test. */
export const databases: readonly [string, () => Promise<string>][] = [
  ["SQLite", async () => `file:${tempFile()}`],
  [
    "PostgreSQL",
    async () => {
      const database = await createPostgresDatabase();
      onTestFinished(() => database[Symbol.asyncDispose]());
      return database.url;
    },
  ],
];

export async function tempDatabase(url: string): Promise<Database> {
  const database = await openDatabase(url, silentLog);
  onTestFinished(() => database[Symbol.asyncDispose]());
  await migrate(database.db, database.kind);
  return database;
}
