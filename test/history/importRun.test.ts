import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CodedError } from "../../src/errors.ts";
import { instantOf } from "../../src/format/instant.ts";
import { takeMigratedDatabase } from "../support/postgres/migratedDatabase.ts";
import { until } from "../support/until.ts";
import { open, tempStore } from "../store/tempStore.ts";
import { callAt, historyWorld, idsOf, NOW, oddService, type ServiceOptions } from "./world.ts";

const [SECOND, HOUR, DAY] = [1000, 3_600_000, 86_400_000];
const every = (ms: number, count: number, from: number, name = "c") =>
  Array.from({ length: count }, (_, at) => callAt(`${name}${at}`, from + at * ms));

describe("an import finds every call once", () => {
  const odd: [string, Omit<ServiceOptions, "rows">][] = [
    ["that filters by the end", { field: "endAt" }],
    ["that lists the oldest first", { order: "oldest" }],
    ["that lists in no order", { order: "none" }],
    ["whose pages have at most 7 rows", { largestPage: 7 }],
    ["that refuses pages beyond 500 rows", { depth: { rows: 500, how: "refused" } }],
    ["that has no page beyond 500 rows", { depth: { rows: 500, how: "empty" } }],
    ["that takes too long for pages beyond 300 rows", { depth: { rows: 300, how: "slow" } }],
    ["that counts to 1000 and has no page beyond", { countsTo: 1000, depth: { rows: 1000, how: "empty" } }],
  ];
  it.each(odd)("of a service %s", async (_, own) => {
    const rows = [...every(30 * SECOND, 2500, NOW - 3 * DAY), ...every(HOUR, 100, NOW - 60 * DAY, "d")];
    const world = await historyWorld({ service: oddService({ rows, ...own }) });
    expect(await world.importAll(NOW - 90 * DAY)).toMatchObject({ state: "DONE", calls: rows.length, leftOut: 0 });
    expect(idsOf(await world.log())).toEqual(idsOf(rows));
  });

  it("also where more calls than a window takes started in one second", async () => {
    const rows = every(0, 1500, NOW - 2 * DAY);
    const world = await historyWorld({ service: oddService({ rows }) });
    expect(await world.importAll(NOW - 3 * DAY)).toMatchObject({ state: "DONE", calls: 1500 });
  });

  it.each([
    ["America/New_York", "2026-11-01T06:00:00.000Z"],
    ["America/New_York", "2026-03-08T07:00:00.000Z"],
    ["Australia/Lord_Howe", "2026-04-04T15:00:00.000Z"],
  ])("where clocks change in %s at %s, and reads few windows for it", async (zone, change) => {
    const rows = every(5 * SECOND, 4000, Date.parse(change) - 3 * HOUR);
    const service = oddService({ rows, zone });
    const world = await historyWorld({ service, zone });
    expect(await world.importAll(NOW - 300 * DAY)).toMatchObject({ state: "DONE", calls: 4000 });
    expect(idsOf(await world.log())).toEqual(idsOf(rows));
    expect(service.requests).toBeLessThan(400);
  });

  it("at any place of calls, also at the edges of windows", async () => {
    const near = fc.record({ days: fc.integer({ min: 0, max: 40 }), seconds: fc.integer({ min: -2, max: 2 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(near, { maxLength: 30 }),
        fc.constantFrom("startAt" as const, "endAt" as const),
        async (places, field) => {
          const since = NOW - 45 * DAY;
          const rows = places.map(({ days, seconds }, at) =>
            callAt(`c${at}`, since + (days + 1) * DAY + seconds * SECOND),
          );
          const world = await historyWorld({ service: oddService({ rows, field }) });
          expect(await world.importAll(since)).toMatchObject({ state: "DONE", calls: rows.length });
          expect(idsOf(await world.log())).toEqual(idsOf(rows));
        },
      ),
      { numRuns: 15 },
    );
  });

  it("since years back, with few requests", async () => {
    const service = oddService({ rows: every(30 * DAY, 40, NOW - 1300 * DAY) });
    const world = await historyWorld({ service });
    expect(await world.importAll(Date.parse("2010-01-01T00:00:00Z"))).toMatchObject({ state: "DONE", calls: 40 });
    expect(service.requests).toBeLessThan(250);
  });
});

describe("an import tells what it leaves out", () => {
  it("calls older than the retention, as the service counts them", async () => {
    const rows = [...every(HOUR, 24, NOW - 20 * DAY, "old"), ...every(HOUR, 5, NOW - 2 * DAY)];
    const world = await historyWorld({ service: oddService({ rows }), own: { retentionMs: 7 * DAY } });
    expect(await world.importAll(NOW - 30 * DAY)).toMatchObject({ state: "DONE", calls: 5, tooOld: 24 });
    expect(await world.importAll(NOW - 30 * DAY, NOW - 10 * DAY)).toMatchObject({
      state: "DONE",
      calls: 0,
      tooOld: 24,
    });
  });

  it("rows without a session ID, without an end, with an end of another time, and refused ones, each once", async () => {
    const edge = NOW - 2 * DAY;
    const rows = [
      callAt(null, edge),
      callAt("open", edge, { endAt: null }),
      callAt("unread", edge - SECOND, { endAt: null, unread: [{ field: "endAt", text: "soon" }] }),
      callAt("wrong", edge, { endAt: "2001-01-01T00:00:00.000Z" }),
      callAt("a\0b", edge),
      callAt("good", edge),
    ];
    const world = await historyWorld({ service: oddService({ rows }) });
    // A window ends at `edge`.
    expect(await world.importAll(edge - DAY)).toMatchObject({ state: "DONE", calls: 1, leftOut: 5 });
  });

  it.each([
    { intervalMs: 60_000, found: ["c0", "c2"] },
    { intervalMs: 0, found: ["c0", "c1", "c2"] },
  ])("leaves calls alone that reconciliation waits for, where it runs: %j", async ({ intervalMs, found }) => {
    const rows = every(HOUR, 3, NOW - 2 * DAY);
    const own = { reconcile: { intervalMs, lookbackMs: 0 } };
    const world = await historyWorld({ service: oddService({ rows }), own });
    await world.store.openCalls.add([{ sessionId: "c1", startAt: rows[1]?.startAt ?? "" }]);
    expect(await world.importAll(NOW - 3 * DAY)).toMatchObject({ state: "DONE", calls: found.length, leftOut: 0 });
    expect(idsOf(await world.log())).toEqual(found);
  });
});

describe("a service that lies ends an import with the reason, and nothing of the lie is stored", () => {
  it.each<[string, Partial<ServiceOptions>, string]>([
    ["ignores the range", {}, "ignored the filter"],
    [
      "refuses the list",
      {
        onRequest: () => {
          throw new CodedError("UPSTREAM_REJECTED", "The service answered 403.");
        },
      },
      "403",
    ],
    ["has fewer rows than its total says", {}, "add up"],
  ])("%s", async (what, own, reason) => {
    const service = oddService({ rows: every(HOUR, 50, NOW - 10 * DAY), ...own });
    const list = service.listCallLogs;
    if (what === "ignores the range")
      service.listCallLogs = (query, requester) =>
        list({ ...query, since: "2000-01-01T00:00:00.000Z", until: instantOf(NOW) }, requester);
    if (what.startsWith("has fewer"))
      service.listCallLogs = async (query, requester) => {
        const page = await list(query, requester);
        return { ...page, rows: page.rows.slice(1), total: page.total };
      };
    const world = await historyWorld({ service });
    const ended = await world.importAll(NOW - 30 * DAY);
    expect(ended).toMatchObject({ state: "FAILED" });
    expect(ended.problem).toContain(reason);
    expect(await world.log()).toEqual([]);
  });

  it("waits while the service is down, and goes on afterwards", async () => {
    let isDown = true;
    const onRequest = (_: unknown, count: number) => {
      if (isDown && count > 3) throw new CodedError("UPSTREAM_UNAVAILABLE", "The service answered 503.");
    };
    const rows = every(HOUR, 300, NOW - 20 * DAY);
    const world = await historyWorld({ service: oddService({ rows, onRequest }) });
    await world.history.start({ since: instantOf(NOW - 30 * DAY), until: null, actor: "web" });
    await until(async () => (await world.history.latest())?.problem !== null);
    expect(await world.history.latest()).toMatchObject({ state: "RUNNING", problem: "The service answered 503." });
    isDown = false;
    expect(await world.ended()).toMatchObject({ state: "DONE", problem: null, calls: 300 });
  });
});

describe("one import runs at a time", () => {
  const rows = every(HOUR, 400, NOW - 40 * DAY);

  it("a second start gets the running one, and a cancelled one ends within a request", async () => {
    const held = Promise.withResolvers<void>();
    const service = oddService({ rows });
    const list = service.listCallLogs;
    service.listCallLogs = async (query, requester) => {
      if (service.requests === 4) await held.promise;
      return list(query, requester);
    };
    const world = await historyWorld({ service });
    const request = { since: instantOf(NOW - 50 * DAY), until: null, actor: "web" };
    expect(await world.history.start(request)).toMatchObject({ isNew: true });
    await until(() => service.requests === 4);
    expect(await world.history.start({ ...request, actor: "other" })).toMatchObject({
      isNew: false,
      import: { startedBy: "web" },
    });
    expect(await world.history.cancel("other")).toMatchObject({ state: "CANCELLED" });
    held.resolve();
    expect(await world.importAll(NOW - 50 * DAY)).toMatchObject({ state: "DONE" });
    expect(idsOf(await world.log())).toEqual(idsOf(rows));
    const audit = await world.store.audit.page({ after: null, limit: 10 });
    expect(audit.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      "web HISTORY_IMPORTED",
      "other HISTORY_IMPORT_CANCELLED",
      "web HISTORY_IMPORTED",
    ]);
    expect(await world.history.cancel("web")).toMatchObject({ state: "DONE" });
  });

  it.each(["SQLite", "PostgreSQL"])(
    "goes on where it was after any interruption, and counts each call once, on %s",
    async (kind) => {
      await using database = kind === "SQLite" ? null : await takeMigratedDatabase();
      const store = await (database ? tempStore(database.url) : tempStore());
      const service = oddService({ rows: every(120 * SECOND, 4000, NOW - 20 * DAY) });
      const first = await historyWorld({ service, store });
      await first.history.start({ since: instantOf(NOW - 30 * DAY), until: null, actor: "web" });
      for (let pause = 10; pause < 60; pause += 9) {
        const world = await historyWorld({ service, store });
        await until(async () => service.requests >= pause || (await world.history.latest())?.state === "DONE");
        await world.history[Symbol.asyncDispose]();
        if (pause === 10) await first.history[Symbol.asyncDispose]();
      }
      const last = await historyWorld({ service, store });
      expect(await last.ended()).toMatchObject({ state: "DONE", calls: 4000, leftOut: 0 });
      expect((await last.log()).length).toBe(4000);
    },
  );

  it("on two gateways of one database, of which one is stopped, beside webhooks of the same calls", async () => {
    await using database = await takeMigratedDatabase();
    await using other = await open(database.url);
    const service = oddService({ rows });
    const [one, two] = [
      await historyWorld({ service, store: await tempStore(database.url) }),
      await historyWorld({ service, store: other }),
    ];
    await one.history.start({ since: instantOf(NOW - 50 * DAY), until: null, actor: "web" });
    const webhooks = rows
      .filter((_, at) => at % 3 === 0)
      .map(async ({ sessionId, endAt }) => {
        const call = { ...(await import("../events/callEnded.ts")).callEnded({ sessionId: sessionId ?? "", endAt }) };
        await two.events.append(call, "WEBHOOK");
      });
    await until(() => service.requests > 5);
    await one.history[Symbol.asyncDispose]();
    await Promise.all(webhooks);
    expect(await two.ended()).toMatchObject({ state: "DONE" });
    await two.events.refresh();
    const log = await two.log();
    expect(new Set(idsOf(log))).toEqual(new Set(idsOf(rows)));
    const news = log.filter(({ source }) => source === "WEBHOOK");
    expect(news.length).toBe(webhooks.length);
    const imported = log.filter(({ source }) => source === "IMPORTED");
    expect(new Set(idsOf(imported)).size).toBe(imported.length);
  });
});
