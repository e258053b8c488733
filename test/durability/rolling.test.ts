import { describe, expect, it, onTestFinished } from "vitest";
import { commitBefore, hasCommit, unpackVersion } from "../support/earlierVersion.ts";
import { createPostgresDatabase } from "../support/postgres/postgres.ts";
import { rollGateways } from "./rolling.ts";

const hasHistory = hasCommit(commitBefore());

describe(`Three gateways of ${hasHistory ? "the version before" : "this version (no history)"} on one PostgreSQL`, () => {
  it(
    "are replaced without a lost, repeated or refused event, or a task created twice",
    { timeout: 300_000 },
    async () => {
      await using database = await createPostgresDatabase();
      const options = { database: database.url, gateways: 3, restarts: 3, readers: 20, webhooks: 50 };
      const earlier = hasHistory ? unpackVersion(commitBefore()) : null;
      onTestFinished(() => earlier?.[Symbol.dispose]());
      const result = await rollGateways({ ...options, ...(earlier ? { firstMain: earlier.main } : {}) });
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
