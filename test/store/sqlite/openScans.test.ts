import { Kysely, sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { openScans, wasInterrupted } from "../../../src/store/sqlite/sqlite.ts";
import type { Tables } from "../../../src/store/tables.ts";
import { tempFile, tempStore } from "../tempStore.ts";

it("A scan that is interrupted before its thread has started does not run", async () => {
  const file = tempFile();
  await tempStore(`file:${file}`);
  const scans = openScans(file, 10_000);
  const db = new Kysely<Tables>({ dialect: scans });
  onTestFinished(() => db.destroy());
  scans.begin();
  const answer = sql`select 1`.execute(db);
  scans.interrupt();
  await expect(answer).rejects.toSatisfy(wasInterrupted);
  scans.begin();
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
});
