// A gateway whose UPSTREAM_TIME_ZONE is not the zone of the service.
import { describe, expect, it } from "vitest";
import { connectSandbox, emptySandbox } from "../support/emptySandbox.ts";
import { startGateway } from "../support/gateway.ts";

const STATUS = "{ gateway { upstream timesAheadMinutes } }";

describe("A gateway with a wrong UPSTREAM_TIME_ZONE", () => {
  it("says so after ten webhooks: in its log, its state, its health and its metrics", async () => {
    await using sandbox = await emptySandbox({ timeZone: "Asia/Shanghai" });
    const env = { UPSTREAM_TIME_ZONE: "Europe/Istanbul", METRICS_PORT: "0" };
    await using gateway = await startGateway(sandbox, env);
    connectSandbox(sandbox, gateway);
    const before = await gateway.ask(STATUS);
    expect(before.data).toEqual({ gateway: { upstream: "HEALTHY", timesAheadMinutes: 0 } });
    for (let calls = 0; calls < 10; calls += 1) sandbox.control.endCall({});
    const line = await gateway.line(({ msg }) => String(msg).startsWith("UPSTREAM_TIME_ZONE seems to be wrong"));
    expect(line).toMatchObject({ level: "error", hours: 5, timeZone: "Europe/Istanbul" });
    const after = await gateway.ask(STATUS);
    expect(after.data).toEqual({ gateway: { upstream: "DEGRADED", timesAheadMinutes: 300 } });
    expect(await (await fetch(`${gateway.url}/readyz`)).text()).toContain("UPSTREAM_TIME_ZONE seems to be wrong");
    const { port } = await gateway.line(({ msg }) => msg === "metrics are served");
    const metrics = await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
    expect(metrics).toMatch(/^switchboard_upstream_times_ahead_seconds 18000$/m);
  });
});
