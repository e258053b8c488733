import { describe, expect, it } from "vitest";
import { createPostgresDatabase } from "../support/postgres/postgres.ts";
import { rollGateways } from "./rolling.ts";

describe("Three gateways on one PostgreSQL that restart one after the other", () => {
  it("lose no event, repeat none, and refuse no webhook", { timeout: 300_000 }, async () => {
    await using database = await createPostgresDatabase();
    const options = { database: database.url, gateways: 3, restarts: 3, readers: 20, webhooks: 50 };
    const { acknowledged, sessionIds, errors, exitCodes } = await rollGateways(options);
    const rows = await database.ask("select session_id from events order by seq");
    const stored = rows.map((row) => String(row["session_id"]));
    expect(errors).toEqual([]);
    expect(exitCodes).toEqual([0, 0, 0]);
    expect(stored.toSorted()).toEqual(acknowledged.toSorted());
    for (const one of sessionIds) expect(one).toEqual(stored);
  });
});
