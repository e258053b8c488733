import { describe, expect, it } from "vitest";
import { connectSandbox, emptySandbox } from "../support/emptySandbox.ts";
import { startGateway } from "../support/gateway.ts";
import { openSse } from "../support/streams.ts";
import { until } from "../support/until.ts";
import { DAY, FAST, latest, logOf, seedEnds, start } from "./imports.ts";

describe("live calls beside an import", () => {
  it("come each once and in order while it runs, and none of the imported ones", async () => {
    await using sandbox = await emptySandbox();
    const from = Math.floor((Date.now() - 20 * DAY) / 1000) * 1000;
    seedEnds(
      sandbox,
      Array.from({ length: 20_000 }, (_, at) => from + at * 60_000),
      "earlier",
    );
    await using gateway = await startGateway(sandbox, FAST);
    connectSandbox(sandbox, gateway);
    await using live = await openSse(gateway.url, { query: "subscription { callEnded { sessionId source } }" });
    await start(gateway, from - DAY);
    await until(async () => (await latest(gateway)).calls > 0);
    const ended: string[] = [];
    const came: unknown[] = [];
    while (ended.length < 50) {
      ended.push(sandbox.control.endCall({}).sessionId);
      const { data } = await live.next();
      came.push(data);
    }
    // A live call did not wait for its end.
    expect((await latest(gateway)).state).toBe("RUNNING");
    expect(came).toEqual(ended.map((sessionId) => ({ callEnded: { sessionId, source: "WEBHOOK" } })));
    await gateway.ask("mutation { cancelHistoryImport { state } }");
    const log = await logOf(gateway);
    expect(log.filter(({ source }) => source === "WEBHOOK").length).toBe(50);
    expect(log.filter(({ source }) => source === "IMPORTED").length).toBeGreaterThan(0);
  });
});
