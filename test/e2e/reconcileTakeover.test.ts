import { describe, expect, it } from "vitest";
import { spawnGateway, startGateway } from "../support/gateway.ts";
import { emptySandbox } from "../support/emptySandbox.ts";
import { takeMigratedDatabase } from "../support/postgres/migratedDatabase.ts";
import { until } from "../support/until.ts";
import { EACH_SECOND, endCall, eventOf, searches } from "../reconcile/endToEnd.ts";

describe("two gateways on one database", () => {
  it("the other one searches when the searching gateway is killed", async () => {
    await using sandbox = await emptySandbox();
    await using database = await takeMigratedDatabase();
    const env = { ...EACH_SECOND, DATABASE_URL: database.url, UPSTREAM_TIMEOUT_MS: "60000" };
    sandbox.control.addFault({ match: { path: "/openapi/calllog" }, kind: "hang", times: 1 });
    await using killed = await spawnGateway(sandbox, env);
    await until(() => searches(sandbox).length === 1);
    await using other = await startGateway(sandbox, env);
    const sessionId = endCall(sandbox, { webhook: false });
    killed.process.kill("SIGKILL");
    expect(await until(() => eventOf(other, sessionId))).toMatchObject({ source: "RECONCILED" });
  });
});
