// What an operator may ask of an import by mistake: years long ago, ranges that are empty, and starting or cancelling it twice.
import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import { tempStore } from "../store/tempStore.ts";
import { takeMigratedDatabase } from "../support/postgres/migratedDatabase.ts";
import { DAY, HOUR } from "./imports.ts";
import { callAt, historyWorld, NOW, oddService } from "./world.ts";

const rows = [callAt("old", NOW - 20 * DAY), callAt("new", NOW - 2 * DAY)];

describe("an import", () => {
  it.each(["Asia/Shanghai", "America/New_York", "Pacific/Kiritimati"])(
    "since the first instant that the graph takes reads what the retention keeps, in the zone %s",
    async (zone) => {
      const world = await historyWorld({ service: oddService({ rows, zone }), zone, own: { retentionMs: 7 * DAY } });
      const ended = await world.importAll(Date.parse("0001-01-01T00:00:00Z"));
      expect(ended).toMatchObject({ state: "DONE", problem: null, calls: 1, tooOld: 1 });
    },
  );

  it("whose range is older than the retention reads nothing, and tells how many calls it leaves out", async () => {
    const service = oddService({ rows });
    const world = await historyWorld({ service, own: { retentionMs: 7 * DAY } });
    const ended = await world.importAll(NOW - 30 * DAY, NOW - 10 * DAY);
    expect(ended).toMatchObject({ state: "DONE", calls: 0, windows: 0, tooOld: 1 });
  });

  it("is not started where its range begins later than it may end", async () => {
    const world = await historyWorld({
      service: oddService({ rows }),
      own: { reconcile: { intervalMs: 1000, lookbackMs: HOUR } },
    });
    for (const [since, until] of [
      [NOW + DAY, null],
      [NOW - HOUR / 2, null],
      [NOW - HOUR, NOW],
      [NOW - DAY, NOW - DAY],
    ] as const) {
      const request = { since: instantOf(since), until: until === null ? null : instantOf(until), actor: "web" };
      expect(await world.history.start(request)).toBe("empty");
    }
    expect(await world.history.latest()).toBeNull();
  });

  it("that two gateways start at the same time is one import", async () => {
    await using database = await takeMigratedDatabase();
    const held = Promise.withResolvers<void>();
    const service = oddService({ rows });
    const list = service.listCallLogs;
    service.listCallLogs = (...asked) => held.promise.then(() => list(...asked));
    const gateways = await Promise.all(
      [0, 1].map(async () => historyWorld({ service, store: await tempStore(database.url) })),
    );
    const request = { since: instantOf(NOW - 30 * DAY), until: null };
    const started = await Promise.all(
      gateways.flatMap(({ history }, at) => [0, 1, 2].map(() => history.start({ ...request, actor: `web ${at}` }))),
    );
    const imports = started.map((one) => (one === "empty" ? null : one));
    held.resolve();
    const [id, ...others] = new Set(imports.map((one) => one?.import.id));
    expect(others).toEqual([]);
    expect(imports.filter((one) => one?.isNew)).toHaveLength(1);
    for (const { ended } of gateways) expect(await ended()).toMatchObject({ id, state: "DONE", calls: rows.length });
    const audit = await gateways[0]?.store.audit.page({ after: null, limit: 10 });
    expect(audit?.map(({ action }) => action)).toEqual(["HISTORY_IMPORTED"]);
  });

  it("that is cancelled twice is cancelled once", async () => {
    const held = Promise.withResolvers<void>();
    const service = oddService({ rows });
    const list = service.listCallLogs;
    service.listCallLogs = (...asked) => held.promise.then(() => list(...asked));
    const world = await historyWorld({ service });
    await world.history.start({ since: instantOf(NOW - 30 * DAY), until: null, actor: "web" });
    const first = await world.history.cancel("one");
    expect(first).toMatchObject({ state: "CANCELLED" });
    expect(await world.history.cancel("other")).toEqual(first);
    held.resolve();
    const audit = await world.store.audit.page({ after: null, limit: 10 });
    expect(audit.filter(({ action }) => action === "HISTORY_IMPORT_CANCELLED")).toMatchObject([{ actor: "one" }]);
    expect(await world.log()).toEqual([]);
  });
});
