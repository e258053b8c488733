import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatWallClock } from "../../src/format/wallClock.ts";
import { onceByKey } from "../../src/loaders/keyedLoader.ts";
import { callLog as callLogOf } from "../../src/resolvers/callLog.ts";
import { searchCall } from "../../src/resolvers/searchCall.ts";
import type { CallLogPage, CallLogQuery, CallLogRecord } from "../../src/upstream/upstream.ts";
import { callLog, NOW, world } from "./world.ts";

const HOUR = 3_600_000;
const NEAR = Date.parse(NOW);
const STRETCH = { from: NEAR - 24 * HOUR, to: NEAR + 24 * HOUR, near: NEAR };

interface List {
  rows: readonly CallLogRecord[];
  clamp?: number;
  /** The total it states, if that is wrong. */
  total?: number;
  /** Called before each answer, to change the list. */
  before?: (asked: number) => void;
}

/** A list that filters by start time, in any order and with any page size. */
function service(list: List) {
  const asked: CallLogQuery[] = [];
  const load = async (query: CallLogQuery): Promise<CallLogPage> => {
    asked.push(query);
    list.before?.(asked.length);
    const { since, until, pageIndex } = query;
    const inside = list.rows.filter(({ startAt }) => startAt !== null && startAt >= since && startAt <= until);
    const pageSize = Math.min(query.pageSize, list.clamp ?? 100);
    const first = (pageIndex - 1) * pageSize;
    const { total = inside.length } = list;
    return { rows: inside.slice(first, first + pageSize), total, pageIndex, pageSize };
  };
  const { context } = world({
    own: { loaders: { ...world().context.loaders, callLogPages: onceByKey(load, JSON.stringify) } },
  });
  return { context, asked };
}

/** Calls around now, with a fixed number of seconds between them. */
const rowsOf = (count: number, everyMs: number) =>
  Array.from({ length: count }, (_, at) =>
    callLog({ sessionId: `s-${at}`, startAt: new Date(NEAR + (at - count / 2) * everyMs).toISOString() }),
  );

describe("searchCall", () => {
  it("finds the call, or no call in a complete range, or fails after ten requests", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 3000 }),
        fc.constantFrom(100, 20, 7),
        fc.double({ min: 0, max: 1.2, noNaN: true }),
        fc.constantFrom(1, 3, 10),
        async (count, clamp, place, most) => {
          const rows = rowsOf(count, 50_000);
          const { context, asked } = service({ rows, clamp });
          const sought = `s-${Math.floor(count * place)}`;
          const inStretch = rows.filter(({ startAt }) => Math.abs(Date.parse(startAt ?? "") - NEAR) <= 24 * HOUR);
          const isThere = inStretch.some(({ sessionId }) => sessionId === sought);
          const found = await searchCall(sought, STRETCH, most, context).catch((error: unknown) => error);
          expect(asked.length).toBeLessThanOrEqual(most);
          if (found === null) expect(isThere).toBe(false);
          else if (found instanceof Error) expect(found).toMatchObject({ code: "QUERY_TOO_COMPLEX" });
          else expect(found).toMatchObject({ sessionId: sought });
          // A range that the requests can cover must not fail.
          if (inStretch.length <= most * clamp - 1) expect(found).not.toBeInstanceOf(Error);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("sends one request if the call is on the first page", async () => {
    const { context, asked } = service({ rows: rowsOf(90, 1000) });
    expect(await searchCall("s-3", STRETCH, 10, context)).toMatchObject({ sessionId: "s-3" });
    expect(asked).toHaveLength(1);
  });

  it("searches a list that is too long near the most likely time", async () => {
    const { context, asked } = service({ rows: rowsOf(100_000, 1000) });
    expect(await searchCall("s-50010", STRETCH, 10, context)).toMatchObject({ sessionId: "s-50010" });
    expect(asked.length).toBeLessThanOrEqual(10);
    await expect(
      searchCall("s-20500", STRETCH, 10, service({ rows: rowsOf(100_000, 1000) }).context),
    ).rejects.toMatchObject({
      code: "QUERY_TOO_COMPLEX",
    });
  });

  it("fails if rows moved between two pages", async () => {
    const list: List = { rows: rowsOf(150, 1000) };
    // A row of the first page left after it was read. The 101st row became the 100th and was never read.
    list.before = (asked) => {
      if (asked === 2) list.rows = list.rows.slice(1);
    };
    await expect(searchCall("s-100", STRETCH, 10, service(list).context)).rejects.toMatchObject({
      code: "QUERY_TOO_COMPLEX",
    });
  });

  it("finds a call while new calls begin", async () => {
    const list: List = { rows: rowsOf(150, 1000) };
    list.before = (asked) => {
      const startAt = new Date(NEAR).toISOString();
      if (asked === 2) list.rows = [callLog({ sessionId: "new", startAt }), ...list.rows];
    };
    expect(await searchCall("gone", STRETCH, 10, service(list).context)).toBeNull();
  });

  it("counts rows without a session ID", async () => {
    const rows = rowsOf(130, 1000).map((row) => ({ ...row, sessionId: null }));
    expect(await searchCall("s-3", STRETCH, 10, service({ rows }).context)).toBeNull();
  });

  it.each([99, 100, 157])(
    "gives an error, and not null, where the list goes on behind its total of %i",
    async (total) => {
      const list: List = { rows: rowsOf(300, 100), total };
      await expect(searchCall("s-250", STRETCH, 10, service(list).context)).rejects.toMatchObject({
        code: "UPSTREAM_CONTRACT",
      });
    },
  );

  it("reports a list that grew and shrank as too fast, not as a broken contract", async () => {
    const grown = rowsOf(201, 100);
    const list: List = { rows: grown.slice(2) };
    list.before = (asked) => (list.rows = asked === 2 ? grown : grown.slice(2));
    await expect(searchCall("nobody", STRETCH, 10, service(list).context)).rejects.toMatchObject({
      code: "QUERY_TOO_COMPLEX",
    });
  });

  it("fails on wrong answers of the service", async () => {
    const { context } = service({
      rows: [],
      before() {
        throw new Error("down");
      },
    });
    await expect(searchCall("s-3", STRETCH, 10, context)).rejects.toThrow("down");
  });
});

describe("callLog(sessionId) searches", () => {
  const days = (query: CallLogQuery | undefined, at: string) =>
    [query?.since, query?.until].map((end) => (Date.parse(end ?? "") - Date.parse(at)) / (24 * HOUR));

  it("searches a day before and after the given time", async () => {
    const { context, asked } = service({ rows: [] });
    const around = "2026-03-01T12:00:00.000Z";
    expect(await callLogOf({ sessionId: "s", around }, context)).toBeNull();
    const [since, until] = days(asked[0], around);
    expect(since).toBeLessThanOrEqual(-1);
    expect(since).toBeGreaterThan(-1.1);
    expect(until).toBeGreaterThanOrEqual(1);
    expect(until).toBeLessThan(1.1);
  });

  it("searches the last seven days by default, once for several calls", async () => {
    const { context, asked } = service({ rows: [] });
    await Promise.all(["a", "b", "c"].map((sessionId) => callLogOf({ sessionId }, context)));
    expect(asked).toHaveLength(1);
    const [since, until] = days(asked[0], NOW);
    expect(since).toBeLessThanOrEqual(-7);
    expect(since).toBeGreaterThan(-8.1);
    expect(until).toBeGreaterThanOrEqual(0.5);
  });

  it.each(["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "1970-01-01T00:00:00.000Z"])(
    "searches a range that the service can read around %s",
    async (around) => {
      const { context, asked } = service({ rows: [] });
      expect(await callLogOf({ sessionId: "s", around }, context)).toBeNull();
      expect(asked).toHaveLength(1);
      for (const end of [asked[0]?.since, asked[0]?.until])
        expect(formatWallClock(end ?? "", "Asia/Shanghai")).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    },
  );

  it("refuses an empty session ID without a request", async () => {
    const { context, asked } = service({ rows: [] });
    await expect(callLogOf({ sessionId: "" }, context)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
    expect(asked).toEqual([]);
  });
});
