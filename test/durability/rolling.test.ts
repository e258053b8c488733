import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unpackVersion, versionBefore, type EarlierVersion } from "../support/earlierVersion.ts";
import { createPostgresDatabase } from "../support/postgres/postgres.ts";
import { rollGateways } from "./rolling.ts";
import { expectEndsOnly } from "./rollingNotEnded.ts";

let earlier: EarlierVersion;
beforeAll(() => {
  earlier = unpackVersion(versionBefore());
}, 300_000);
afterAll(() => earlier[Symbol.dispose]());

describe("A gateway of the version before beside this one on one PostgreSQL", () => {
  it("lets no stream of this one tell an event that does not end its call, and adds what it says to the end", async () => {
    await using database = await createPostgresDatabase();
    await expectEndsOnly(database.url, earlier.main);
  });
});

describe("Three gateways of the version before on one PostgreSQL", () => {
  it(
    "are replaced without a lost, repeated or refused event, or a task created twice",
    { timeout: 300_000 },
    async () => {
      await using database = await createPostgresDatabase();
      const options = { database: database.url, gateways: 3, restarts: 3, readers: 20, webhooks: 50 };
      const result = await rollGateways({ ...options, firstMain: earlier.main });
      const { acknowledged, sessionIds, errors, exitCodes, submitted, sent } = result;
      const rows = await database.ask("select session_id from events order by seq");
      const stored = rows.map((row) => String(row["session_id"]));
      expect(errors).toEqual([]);
      expect(exitCodes).toEqual([0, 0, 0]);
      expect(stored.toSorted()).toEqual(acknowledged.toSorted());
      for (const one of sessionIds) expect(one).toEqual(stored);
      expect(submitted.length).toBeGreaterThan(0);
      expect(sent).toEqual(submitted);
    },
  );
});
