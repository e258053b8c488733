import { describe, expect, it } from "vitest";
import { emptySandbox } from "../support/emptySandbox.ts";
import { startGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { postgres, sqlite } from "../store/databases.ts";
import { DAY_MS } from "../../src/util/durations.ts";
import { restartWithClocks, runBesideEachOther, type ClocksResult } from "./wrongClocks.ts";

const PURGES = { firstAfterMs: 0, intervalMs: 30 };
const FEW = { webhooks: 2, tasks: 1 };

function startOn(database: string, service: { url: string }) {
  return (daysAhead: number) => {
    const clock = () => Date.now() + daysAhead * DAY_MS;
    return startGateway(service, { DATABASE_URL: database }, { clock, purgeTimes: PURGES });
  };
}

async function expectNothingLost(result: ClocksResult, stored: Record<string, unknown>[]): Promise<void> {
  expect(stored.map(({ session_id }) => session_id)).toEqual(result.acknowledged);
  expect(result.sent).toEqual(result.submitted);
  expect(result.notReplayed).toEqual([]);
}

const SESSIONS = "select session_id from events order by seq";

describe("B61: gateways with a wrong clock", () => {
  it("lose no event and send no task twice when one SQLite file is opened with clocks 100 days ahead and behind", async () => {
    await using sandbox = await emptySandbox();
    const database = await sqlite.create();
    const options = { start: startOn(database.url, sandbox), sandbox, ...FEW };
    const result = await restartWithClocks(options, [0, 100, 0, -100, 0]);
    await expectNothingLost(result, await database.ask(SESSIONS));
    expect(result.sent).toHaveLength(5);
  });

  it("lose no event and send no task twice beside a right one on PostgreSQL, and get its time", async () => {
    await using sandbox = await emptySandbox();
    const database = await postgres.create();
    const start = startOn(database.url, sandbox);
    const asOf = async () =>
      (await database.ask("select value from settings where name = 'purged_as_of'"))[0]?.["value"];
    const purged = async () => {
      for (let at = 0; at < 3; at += 1) {
        const before = await asOf();
        await until(async () => (await asOf()) !== before);
      }
    };
    const result = await runBesideEachOther({ start, sandbox, purged, rounds: 2, ...FEW }, [0, 100, -100]);
    await expectNothingLost(result, await database.ask(SESSIONS));
    const [times] = await database.ask(
      "select count(*) as n from events where received_at::timestamptz - now() between '-1 day' and '1 day'",
    );
    expect(times).toEqual({ n: String(result.acknowledged.length) });
  });

  it("say on /readyz that the clock is in doubt, and go on to serve", async () => {
    await using sandbox = await emptySandbox();
    const database = await sqlite.create();
    const start = startOn(database.url, sandbox);
    await (await start(0))[Symbol.asyncDispose]();
    await using gateway = await start(100);
    const answer = await fetch(`${gateway.url}/readyz`);
    const text =
      "ready, degraded: the clock is in doubt (it is 100 days ahead of the time that this database last saw), so nothing expires";
    expect([answer.status, await answer.text()]).toEqual([200, `${text}\n`]);
  });
});
