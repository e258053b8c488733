import { randomInt } from "node:crypto";
import { expect, it } from "vitest";
import { emptySandbox } from "../support/emptySandbox.ts";
import { spawnGateway, temporaryDirectory } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { DAY, ended, FAST, latest, logOf, seedEnds, sessionsOf, start } from "./imports.ts";

const KILLS = 4;

it(
  "An import whose gateway is killed again and again adds each call once, and counts it once",
  { timeout: 300_000 },
  async () => {
    await using sandbox = await emptySandbox();
    await using directory = await temporaryDirectory();
    const since = Date.now() - 300 * DAY;
    const ids = seedEnds(
      sandbox,
      Array.from({ length: 6000 }, (_, at) => since + (at + 1) * 2_000_000),
    );
    const spawn = () =>
      spawnGateway(sandbox, { ...FAST, EVENT_RETENTION_DAYS: "400", DATABASE_URL: directory.database });
    let gateway = await spawn();
    expect((await start(gateway, since)).errors).toBeUndefined();
    let killedWhileRunning = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = (await latest(gateway)).calls;
      const own = gateway;
      await until(async () => {
        const { calls, state } = await latest(own);
        return state !== "RUNNING" || calls > before;
      });
      // The kill may come while a page is read, or between two commits of a window.
      for (let turns = randomInt(0, 500); turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve));
      if ((await latest(gateway)).state === "RUNNING") killedWhileRunning += 1;
      gateway.process.kill("SIGKILL");
      await gateway[Symbol.asyncDispose]();
      gateway = await spawn();
    }
    await using last = gateway;
    expect(await ended(last)).toMatchObject({ state: "DONE", problem: null, calls: ids.length, leftOut: 0 });
    const log = sessionsOf(await logOf(last));
    expect(log.toSorted()).toEqual(ids.toSorted());
    expect(killedWhileRunning).toBeGreaterThan(0);
  },
);
