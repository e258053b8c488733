import { randomInt } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { startGateway, temporaryDirectory } from "../support/gateway.ts";
import { NO_SERVICE, QUIET, startLoad } from "./load.ts";

/** Starts a gateway on one file again and again, and kills each at some moment under load; what is in the file then. */
async function killGateways(kills: number) {
  await using directory = await temporaryDirectory();
  const start = () => startGateway(NO_SERVICE, { ...QUIET, DATABASE_URL: directory.database });
  let gateway = await start();
  const load = startLoad({ gateway: () => gateway, writers: 8 });
  for (let at = 0; at < kills; at += 1) {
    await load.more(randomInt(1, 60));
    // From now on at any moment: while it reads, commits or answers.
    for (let turns = randomInt(0, 200); turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve));
    gateway.process.kill("SIGKILL");
    await gateway[Symbol.asyncDispose]();
    gateway = await start();
  }
  await load.stop();
  gateway.process.kill("SIGKILL");
  await gateway[Symbol.asyncDispose]();

  using database = new DatabaseSync(directory.database.slice("file:".length));
  const all = (sql: string) => database.prepare(sql).all();
  return {
    load,
    integrity: all("pragma integrity_check"),
    sessions: all("select session_id from events order by seq").map((row) => String(row["session_id"])),
    halves: all("select seq from events where seq not in (select seq from event_assistants)"),
  };
}

describe("a gateway that is killed at any moment", () => {
  it("has every event that it acknowledged, each once, and no half of one", { timeout: 300_000 }, async () => {
    const { load, integrity, sessions, halves } = await killGateways(8);
    expect(integrity).toEqual([{ integrity_check: "ok" }]);
    expect(sessions.toSorted()).toEqual(load.acknowledged.toSorted());
    expect(halves).toEqual([]);
    expect(load.refusals.has(0)).toBe(true);
  });
});
