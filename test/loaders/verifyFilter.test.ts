import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import { CodedError } from "../../src/errors.ts";
import { createProof, type OwnProof } from "../../src/loaders/proof.ts";
import type { CallLogQuery } from "../../src/upstream/upstream.ts";
import { fits, firstRows, oddService, rowsOf, type Habits } from "./oddService.ts";

const MINUTE = 60_000;
/** 12:00 in Shanghai. */
const NOON = Date.parse("2026-11-20T04:00:00.000Z");
/** A call every half hour before noon, newest first; some were yesterday. */
const rows = rowsOf(60, (at) => ({
  startAt: instantOf(NOON - at * 30 * MINUTE),
  endAt: instantOf(NOON - at * 30 * MINUTE + MINUTE),
  taskId: String(1 + (at % 3)),
  caller: "A068",
  callee: at % 4 === 0 ? "13800010001" : `1390000${String(1000 + at)}`,
  direction: at < 30 ? "outbound" : "inbound",
  assistants: [{ assistantId: String(4 + (at % 2)), versionId: "1" }],
}));
const day = { since: "2026-11-19T16:00:00.000Z", until: "2026-11-20T15:59:59.000Z" };
const hours = { since: "2026-11-20T00:10:00.000Z", until: "2026-11-20T03:10:00.000Z" };
const filters = {
  taskIds: { ...day, taskIds: ["1"] },
  direction: { ...day, direction: "outbound" as const },
  phone: { ...day, phone: "13800010001" },
  assistantIds: { ...day, assistantIds: ["4"] },
  since: { ...day },
  until: { ...day },
};
const without: Record<keyof typeof filters, (query: CallLogQuery) => CallLogQuery> = {
  taskIds: (query) => ({ ...query, taskIds: [] }),
  direction: (query) => ({ ...query, direction: null }),
  phone: (query) => ({ ...query, phone: null }),
  assistantIds: (query) => ({ ...query, assistantIds: [] }),
  since: (query) => ({ ...query, since: "1970-01-01T00:00:00.000Z" }),
  until: (query) => ({ ...query, until: "9999-12-31T23:59:59.000Z" }),
};
const names = Object.keys(filters) as (keyof typeof filters)[];

/** Expects the right list or UPSTREAM_FILTER_IGNORED. */
function expectTrue(list: Awaited<ReturnType<typeof firstRows>>, query: Partial<CallLogQuery>, count: number): void {
  if (list === "UPSTREAM_FILTER_IGNORED") return;
  const meant = rows.filter((row) => fits(row, { ...filters.since, ...none, ...query } as CallLogQuery));
  expect(list).toMatchObject({ rows: meant.slice(0, count), total: meant.length });
}
const none = { taskIds: [], direction: null, phone: null, assistantIds: [], kind: null };

describe("a service that ignores a filter", () => {
  it.each(names)(
    "gives the right rows or an error for %s, whatever the other filters and the number of rows",
    async (name) => {
      const given = fc.subarray(names).map((chosen) => Object.assign({}, ...chosen.map((each) => filters[each])));
      const ranges = fc.constantFrom(day, hours);
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(given, ranges, fc.integer({ min: 1, max: 40 })), { maxLength: 4 }),
          async (all) => {
            const service = oddService({ rows, reads: without[name] });
            for (const [filter, range, count] of all) {
              const query = { ...filter, ...range };
              expectTrue(await firstRows(service.loaders(), query, count), query, count);
            }
          },
        ),
      );
    },
  );

  it("is detected for since, although the first page shows only calls within the range", async () => {
    const calls = rowsOf(200, (at) => ({
      startAt: instantOf(NOON - at * MINUTE),
      endAt: instantOf(NOON - at * MINUTE + MINUTE / 2),
    }));
    const tells: Habits["tells"] = (page, { since, until }) => {
      if (since > until) throw new CodedError("UPSTREAM_REJECTED", "The range ends before it begins.");
      return page;
    };
    const service = oddService({ rows: calls, reads: without.since, tells });
    const range = { since: instantOf(NOON - 100.5 * MINUTE), until: instantOf(NOON + MINUTE) };
    expect(await firstRows(service.loaders(), range)).toBe("UPSTREAM_FILTER_IGNORED");
  });

  it("is detected for the kind, which no row shows", async () => {
    const service = oddService({ rows });
    expect(await firstRows(service.loaders(), { ...day, kind: "phone" })).toBe("UPSTREAM_FILTER_IGNORED");
    expect(await firstRows(service.loaders(), { ...day, kind: "privateTest" }, 1)).toBe("UPSTREAM_FILTER_IGNORED");
    expect(await firstRows(service.loaders(), day)).toMatchObject({ total: 25 });
  });

  it("is detected if rows show a line's label instead of a number", async () => {
    const service = oddService({ rows, reads: without.phone });
    expect(await firstRows(service.loaders(), { ...day, phone: "13800010001" }, 1)).toBe("UPSTREAM_FILTER_IGNORED");
  });

  it("gets no request if the filter is configured as ignored", async () => {
    const service = oddService({ rows, ignores: ["kind", "phone"] });
    expect(await firstRows(service.loaders(), { ...day, kind: "phone" })).toBe("UPSTREAM_FILTER_IGNORED");
    expect(await firstRows(service.loaders(), { ...day, phone: "1" })).toBe("UPSTREAM_FILTER_IGNORED");
    expect(service.all).toEqual([]);
  });
});

describe("a service that uses only the day of a time", () => {
  const DAY = 24 * 60 * MINUTE;
  const dayOf = (instant: string) => Math.floor((Date.parse(instant) + 8 * 60 * MINUTE) / DAY) * DAY - 8 * 60 * MINUTE;
  const byDay = (query: CallLogQuery): CallLogQuery => ({
    ...query,
    since: instantOf(dayOf(query.since)),
    until: instantOf(dayOf(query.until) + DAY - 1000),
  });

  it("is accepted for ranges of whole days only", async () => {
    const service = oddService({ rows, reads: byDay });
    expect(await firstRows(service.loaders(), day)).toMatchObject({ total: 25 });
    expect(await firstRows(service.loaders(), { ...day, until: hours.until }, 2)).toBe("UPSTREAM_FILTER_IGNORED");
    expect(await firstRows(service.loaders(), { ...day, since: hours.since }, 2)).toBe("UPSTREAM_FILTER_IGNORED");
  });
});

describe("a service that applies its filters", () => {
  const byKind: Habits["tells"] = (page, { kind }) => (kind === "privateTest" ? { ...page, rows: [], total: 0 } : page);

  it("gets one extra request for each filter in a process", async () => {
    const service = oddService({ rows, tells: byKind });
    const all = Object.assign({}, ...names.map((name) => filters[name]), { kind: "phone" }) as Partial<CallLogQuery>;
    const meant = rows.filter((row) => fits(row, { ...none, ...all } as CallLogQuery));
    for (const cost of [8, 1, 1]) {
      const before = service.all.length;
      expect(await firstRows(service.loaders(), all, 10)).toMatchObject({ rows: meant, total: meant.length });
      expect(service.all.length - before).toBe(cost);
    }
  });

  it("gets a probe of at least ten rows, so that few rows of the list cannot hide what the probe shows", async () => {
    const service = oddService({ rows });
    await firstRows(service.loaders(), filters.taskIds, 3);
    const probes = service.all.filter(({ taskIds }) => taskIds[0] === "999999999999999");
    expect(probes.map(({ pageSize }) => pageSize)).toEqual([10]);
  });

  it("gets one probe for many simultaneous lists", async () => {
    const service = oddService({ rows });
    await Promise.all(Array.from({ length: 20 }, (_, at) => firstRows(service.loaders(), day, 26 + at)));
    expect(service.all.length).toBe(22);
  });

  it.each(["UPSTREAM_REJECTED", "UPSTREAM_UNAVAILABLE"] as const)(
    "is accepted if it answers a probe with %s",
    async (code) => {
      const tells: Habits["tells"] = (page, { taskIds }) => {
        if (taskIds[0] === "999999999999999") throw new CodedError(code, "No.");
        return page;
      };
      const service = oddService({ rows, tells });
      for (let count = 0; count < 5; count += 1)
        expect(await firstRows(service.loaders(), filters.taskIds)).toMatchObject({ total: 9 });
      const probes = service.all.filter(({ taskIds }) => taskIds[0] === "999999999999999");
      expect(probes.length).toBe(code === "UPSTREAM_REJECTED" ? 1 : 3);
    },
  );

  describe("whose probes fail now and then", () => {
    function setUp() {
      let state: "fails" | "works" = "works";
      let ms = 0;
      const found = new Map<string, OwnProof>();
      const confirmed: string[] = [];
      const of = (name: string) => found.getOrInsertComputed(name, () => createProof(() => void confirmed.push(name)));
      const isProbe = ({ taskIds }: CallLogQuery) => taskIds[0] === "999999999999999";
      const service = oddService({
        rows,
        now: () => ms,
        proofs: { of },
        tells(page, query) {
          if (state === "fails" && isProbe(query)) throw new CodedError("UPSTREAM_UNAVAILABLE", "503");
          return page;
        },
      });
      return {
        confirmed,
        proof: of("filter taskIds"),
        probes: () => service.all.filter(isProbe).length,
        wait: (minutes: number) => (ms += minutes * MINUTE),
        async ask(next: typeof state) {
          state = next;
          return firstRows(service.loaders(), filters.taskIds);
        },
      };
    }

    it("is not taken for one that applies its filters because of failures with answers between them", async () => {
      const { ask, proof } = setUp();
      for (let round = 0; round < 4; round += 1) {
        await ask("fails");
        expect(proof.isProven()).toBe(false);
        await ask("works");
        expect(proof.isProven()).toBe(true);
        // The proof expires.
        proof.restore(0);
      }
    });

    it("is accepted after failures in a row for minutes, without a proof that others share", async () => {
      const { ask, proof, probes, confirmed, wait } = setUp();
      for (let count = 0; count < 5; count += 1) expect(await ask("fails")).toMatchObject({ total: 9 });
      expect([probes(), proof.isProven(), confirmed.includes("filter taskIds")]).toEqual([3, false, false]);
      wait(11);
      await ask("works");
      expect([probes(), proof.isProven(), confirmed.includes("filter taskIds")]).toEqual([4, true, true]);
    });

    it("is probed at once after a contradiction", async () => {
      const { ask, proof, probes } = setUp();
      for (let count = 0; count < 3; count += 1) await ask("fails");
      proof.contradict();
      await ask("works");
      expect([probes(), proof.isProven()]).toEqual([4, true]);
    });
  });

  it("gets another probe if the first one timed out", async () => {
    let fails = true;
    const tells: Habits["tells"] = (page, { taskIds }) => {
      if (fails && taskIds[0] === "999999999999999") throw new CodedError("UPSTREAM_TIMEOUT", "Late.");
      return page;
    };
    const service = oddService({ rows, tells });
    expect(await firstRows(service.loaders(), filters.taskIds)).toBe("UPSTREAM_TIMEOUT");
    fails = false;
    expect(await firstRows(service.loaders(), filters.taskIds)).toMatchObject({ total: 9 });
  });
});
