// The unit of ops/ under a real systemd. `npm run bench -- systemd` watches it for a minute.
import { describe, expect, it } from "vitest";
import { takeMigratedDatabase } from "../support/postgres/migratedDatabase.ts";
import { canBootSystemd, waitUnderSystemd } from "../support/systemdUnit.ts";

/** More than systemd's own limit: five in ten seconds. */
const KILLS = 6;

describe("The unit under systemd", () => {
  if (!canBootSystemd())
    return it.skip("is not tested: systemd or unshare is not installed, or this user may not make namespaces");

  it("starts the gateway again after many ends, and it waits for PostgreSQL", { timeout: 300_000 }, async () => {
    await using database = await takeMigratedDatabase();
    const { starts, answers } = await waitUnderSystemd({ url: database.url, kills: KILLS, wait: async () => {} });
    // It waited in one process, alive and not ready.
    expect(starts).toBe(KILLS + 1);
    expect(answers).toEqual(["200 503"]);
  });
});
