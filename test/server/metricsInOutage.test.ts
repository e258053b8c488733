import { describe, expect, it, onTestFinished } from "vitest";
import { createMetrics } from "../../src/server/metrics/metrics.ts";
import { silentLog } from "../support/silentLog.ts";
import { createWaiting } from "../../src/util/start/waiting.ts";

const ANSWERS = { failingSince: null, tokenRefused: false };
const away = () => Promise.reject(new Error("the database is away"));

async function serve(read: () => Promise<never>, checkProgress: () => number | null = () => null) {
  const warned: string[] = [];
  const port = Promise.withResolvers<number>();
  const none = { running: () => 0, size: () => 0 };
  const status = {
    ...ANSWERS,
    state: "HEALTHY",
    requests: 7,
    retries: 0,
    shared: 0,
    cached: 0,
    underWay: 0,
    queued: 0,
  } as const;
  const { observers, serve: start } = await createMetrics({ host: "127.0.0.1", port: 0 });
  observers.server.webhookAnswered("failed", 1);
  const metrics = await start({
    store: {
      events: { head: read },
      readers: { cursors: read },
      openCalls: { searchState: read },
      quarantine: { count: read },
      recordings: { counts: read, oldestPending: read },
      submissions: { counts: read, listPending: read },
      pool: () => null,
      isWritable: async () => false,
    } as never,
    events: { checkProgress, lostEvents: () => 3 },
    timeZoneWatch: { aheadMs: () => 0 },
    clock: { doubt: () => "it is 100 days ahead" },
    positionOf: () => 0,
    service: { status: () => status },
    sockets: none,
    subscribers: none,
    groups: none,
    folders: { database: "." },
    waiting: createWaiting({ log: silentLog }),
    reconcileIntervalMs: 60_000,
    now: Date.now,
    log: {
      ...silentLog,
      info: (fields) => port.resolve((fields as { port: number }).port),
      warn: (_, message) => void warned.push(message),
    },
  });
  onTestFinished(() => metrics[Symbol.asyncDispose]());
  return { url: `http://127.0.0.1:${await port.promise}/metrics`, warned };
}

describe("metrics while the database is down", () => {
  it("are served without those that need the database", async () => {
    const { url, warned } = await serve(away);
    const response = await fetch(url);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).toMatch(/^switchboard_webhooks_total\{outcome="failed"\} 1$/m);
    expect(text).toMatch(/^switchboard_upstream_requests_total 7$/m);
    expect(text).toMatch(/^switchboard_clock_doubted 1$/m);
    expect(text).not.toMatch(/^switchboard_(log_head|reader_lag|quarantined|recordings|submissions)\b/m);
    expect(text).toMatch(/^switchboard_database_writable 0$/m);
    expect(new Set(warned)).toEqual(new Set(["a metric cannot be read"]));
  });

  it("are served with a query, as Prometheus may send one", async () => {
    const { url } = await serve(away);
    expect((await fetch(`${url}?module=calls`)).status).toBe(200);
    const posted = await fetch(url, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});

it("the metric of lost events is their number", async () => {
  const { url } = await serve(away);
  expect(await (await fetch(url)).text()).toMatch(/^switchboard_lost_events 3$/m);
});

describe("the metric of the check in the background", () => {
  it("is the checked part of the log, and 1 when no check runs", async () => {
    let progress: number | null = 0.25;
    const { url } = await serve(away, () => progress);
    const text = async () => (await fetch(url)).text();
    expect(await text()).toMatch(/^switchboard_log_checked_ratio 0\.25$/m);
    progress = null;
    expect(await text()).toMatch(/^switchboard_log_checked_ratio 1$/m);
  });
});
