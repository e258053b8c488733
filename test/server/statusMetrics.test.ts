// The metrics that show work which stands still, of a real gateway.
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/store/store.ts";
import { readVersion } from "../../src/util/version.ts";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { silentLog } from "../support/silentLog.ts";
import { startBoth } from "../support/startBoth.ts";
import { until } from "../support/until.ts";

const { gateway, sandbox } = await startBoth({ METRICS_PORT: "0", RECONCILE_INTERVAL_S: "1" });

async function pageOf(started: Pick<TestGateway, "line">): Promise<string> {
  const { port } = await started.line(({ msg }) => msg === "metrics are served");
  return (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
}
function valueOn(page: string, name: string): number | null {
  const line = page.split("\n").find((each) => each.startsWith(`${name} `));
  return line === undefined ? null : Number(line.slice(name.length));
}
const value = async (name: string) => valueOn(await pageOf(gateway), name);

describe("The metric switchboard_build_info", () => {
  it("names the versions of the gateway and of Node", async () => {
    const labels = `version="${await readVersion()}",node="${process.version}"`;
    expect(await value(`switchboard_build_info{${labels}}`)).toBe(1);
  });
});

describe("The metric of a refused token", () => {
  it("is 1 while the service answers 401, and 0 after it accepts the token", async () => {
    const ask = () => gateway.ask("{ callLogs(first: 1) { totalCount } }");
    await ask();
    expect(await value("switchboard_upstream_token_refused")).toBe(0);
    await sandbox.control("POST", "faults", { match: { path: "/openapi" }, kind: "status", status: 401 });
    await ask();
    expect(await value("switchboard_upstream_token_refused")).toBe(1);
    await sandbox.control("DELETE", "faults");
    await ask();
    expect(await value("switchboard_upstream_token_refused")).toBe(0);
  });
});

describe("The metric of reconciliation", () => {
  const COMPLETED = "switchboard_reconcile_completed_timestamp_seconds";

  it("moves with each complete search, and stands still while the service fails", async () => {
    const first = (await value(COMPLETED)) ?? NaN;
    await until(async () => ((await value(COMPLETED)) ?? NaN) > first);
    expect(await value("switchboard_reconcile_interval_seconds")).toBe(1);
    await sandbox.control("POST", "faults", { match: { path: "/openapi" }, kind: "status", status: 503 });
    await gateway.line(({ msg }) => String(msg).startsWith("the search of the call log failed"));
    const stopped = (await value(COMPLETED)) ?? NaN;
    await sandbox.forget();
    await until(async () => (await sandbox.requests()).length > 3);
    expect(await value(COMPLETED)).toBe(stopped);
    await sandbox.control("DELETE", "faults");
    await until(async () => ((await value(COMPLETED)) ?? NaN) > stopped);
  });
});

describe("The metric of lost recordings", () => {
  it("counts a recording whose host is not allowed", async () => {
    const before = (await value("switchboard_recordings_lost_total")) ?? NaN;
    await gateway.deliver(callEndedEvent({ record_url: "https://elsewhere.example/1.wav" }));
    await until(async () => (await value("switchboard_recordings_lost_total")) === before + 1);
    expect(await value("switchboard_recordings_oldest_pending_seconds")).toBe(0);
    expect(await value("switchboard_submissions_oldest_pending_seconds")).toBe(0);
  });
});

describe("The metrics of a durable reader", () => {
  const of = (page: string, metric: string, reader: string) => valueOn(page, `${metric}{reader="${reader}"}`);

  it("follow the log while a gateway runs it, and stand still while none does", async () => {
    await using directory = await temporaryDirectory();
    const store = await openStore({ url: directory.database, log: silentLog });
    // To this gateway, another one has the lease of the reader; and that one does not read.
    const leases: typeof store.leases = {
      withLease: async (name, stopped, work) =>
        name === "reader recordings" ? null : store.leases.withLease(name, stopped, work),
    };
    await using other = await startGateway(sandbox, { METRICS_PORT: "0" }, { store: { ...store, leases } });
    await other.deliver(callEndedEvent());
    await other.deliver(callEndedEvent());
    const page = await until(async () => {
      const text = await pageOf(other);
      return of(text, "switchboard_reader_lag", "correlation") === 0 && text;
    });
    expect(of(page, "switchboard_reader_position", "correlation")).toBe(2);
    expect(of(page, "switchboard_reader_position", "recordings")).toBe(0);
    expect(of(page, "switchboard_reader_lag", "recordings")).toBe(2);
  });
});
