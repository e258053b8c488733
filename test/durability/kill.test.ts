import { randomInt } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { NO_SERVICE, spawnGateway, temporaryDirectory } from "../support/gateway.ts";
import { QUIET, startLoad } from "./load.ts";

/** Starts gateways on one file and kills each at a random moment under load. Returns what the file holds at the end. */
async function killGateways(kills: number) {
  await using directory = await temporaryDirectory();
  const start = () => spawnGateway(NO_SERVICE, { ...QUIET, DATABASE_URL: directory.database });
  let gateway = await start();
  const load = startLoad({ gateway: () => gateway, writers: 8 });
  for (let at = 0; at < kills; at += 1) {
    await load.waitForMore(randomInt(1, 60));
    // The kill may come while the gateway reads, commits or answers.
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
    partialEvents: all("select seq from events where seq not in (select seq from event_assistants)"),
  };
}

describe("A gateway that is killed at a random moment", () => {
  it("keeps each acknowledged event once, and none in part", { timeout: 300_000 }, async () => {
    const { load, integrity, sessions, partialEvents } = await killGateways(8);
    expect(integrity).toEqual([{ integrity_check: "ok" }]);
    expect(sessions.toSorted()).toEqual(load.acknowledged.toSorted());
    expect(partialEvents).toEqual([]);
    expect(load.refusals.has(0)).toBe(true);
  });
});
