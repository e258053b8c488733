import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasDuplicateCall, readWindow, windowWithin, type CallLogFilter } from "../../src/loaders/readWindow.ts";
import type { CallLogPage, CallLogQuery, CallLogRecord } from "../../src/upstream/upstream.ts";
import { callLogQuery } from "../upstream/service.ts";

const filter: CallLogFilter = callLogQuery({ taskIds: ["7"] });

/** A list whose rows are identified by their position. */
interface List {
  length: number;
  /** The page size that the service uses for a requested size. */
  sizeOf: (asked: number) => number;
  /** The page size that it reports, if that is not the one it uses. */
  tell?: (given: number, asked: number) => number;
  /** The page that it returns beyond the end: the requested one or the last one. */
  beyond?: "same" | "last";
}

function row(at: number): CallLogRecord {
  return { sessionId: String(at) } as CallLogRecord;
}

function rows(from: number, to: number): CallLogRecord[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => row(from + at));
}

function serviceOf({ length, sizeOf, tell = (given) => given, beyond = "same" }: List) {
  const asked: CallLogQuery[] = [];
  const load = async (query: CallLogQuery): Promise<CallLogPage> => {
    asked.push(query);
    const size = sizeOf(query.pageSize);
    const last = Math.max(1, Math.ceil(length / size));
    const pageIndex = beyond === "last" ? Math.min(query.pageIndex, last) : query.pageIndex;
    const start = Math.min((pageIndex - 1) * size, length);
    return {
      rows: rows(start, Math.min(start + size, length)),
      total: length,
      pageIndex,
      pageSize: tell(size, query.pageSize),
    };
  };
  return { asked, load };
}

const windows = fc.record({
  length: fc.integer({ min: 0, max: 450 }),
  offset: fc.integer({ min: 0, max: 500 }),
  count: fc.integer({ min: 1, max: 101 }),
  beyond: fc.constantFrom("same" as const, "last" as const),
});

describe("readWindow", () => {
  it("reads exactly the window in at most two requests within the service's limits", async () => {
    await fc.assert(
      fc.asyncProperty(windows, async ({ length, offset, count, beyond }) => {
        const { asked, load } = serviceOf({ length, sizeOf: (size) => size, beyond });
        const window = await readWindow(load, filter, offset, count);
        expect(window).toMatchObject({
          moved: false,
          rows: rows(offset, Math.min(offset + count, length)),
          total: length,
        });
        expect(asked.length).toBeLessThanOrEqual(2);
        for (const { pageIndex, pageSize, ...rest } of asked) {
          expect(pageIndex).toBeGreaterThanOrEqual(1);
          expect(pageSize >= 1 && pageSize <= 100).toBe(true);
          expect(rest).toEqual({ ...rest, ...filter, pageIndex: undefined, pageSize: undefined });
        }
      }),
    );
  });

  it("reads exactly the window from a service that reports another page size than requested", async () => {
    await fc.assert(
      fc.asyncProperty(
        windows,
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 100 }),
        async ({ length, offset, count, beyond }, a, b) => {
          const [least, most] = [Math.min(a, b), Math.max(a, b)];
          const { load } = serviceOf({ length, sizeOf: (size) => Math.min(Math.max(size, least), most), beyond });
          const window = await readWindow(load, filter, offset, count);
          expect(window).toMatchObject({
            moved: false,
            rows: rows(offset, Math.min(offset + count, length)),
            total: length,
          });
        },
      ),
    );
  });

  it("reads exactly the window from a service that hides its page size, if the list continues after it", async () => {
    await fc.assert(
      fc.asyncProperty(windows, fc.integer({ min: 1, max: 100 }), async ({ offset, count }, most) => {
        const length = offset + 200;
        const { load } = serviceOf({ length, sizeOf: (size) => Math.min(size, most), tell: (_, asked) => asked });
        expect((await readWindow(load, filter, offset, count)).rows).toEqual(rows(offset, offset + count));
      }),
    );
  });

  it("reads exactly the window at the list's end from a service that hides its page size", async () => {
    let right = 0;
    const most = fc.integer({ min: 1, max: 100 });
    await fc.assert(
      fc.asyncProperty(windows, most, async ({ length, offset, count }, most) => {
        const { asked, load } = serviceOf({
          length,
          sizeOf: (size) => Math.min(size, most),
          tell: (_, asked) => asked,
        });
        const window = await readWindow(load, filter, offset, count);
        const isDisguised = asked.some(({ pageIndex, pageSize }) => {
          const due = length - (pageIndex - 1) * pageSize;
          return pageIndex > 1 && pageSize > most && due === Math.min(most, length - (pageIndex - 1) * most);
        });
        if (isDisguised) return;
        right += 1;
        expect(window.rows).toEqual(rows(offset, Math.min(offset + count, length)));
      }),
    );
    expect(right).toBeGreaterThan(80);
  });
});

describe("the requests of readWindow", () => {
  const pagesFor = async (offset: number, count: number) => {
    const { asked, load } = serviceOf({ length: 1000, sizeOf: (size) => size });
    await readWindow(load, filter, offset, count);
    return asked.map(({ pageIndex, pageSize }) => [pageIndex, pageSize]);
  };

  it.each([
    [0, 10, [[1, 10]]],
    [10, 10, [[2, 10]]],
    [5, 10, [[1, 15]]],
    [99, 1, [[100, 1]]],
    [0, 100, [[1, 100]]],
    [
      50,
      100,
      [
        [2, 38],
        [2, 75],
      ],
    ],
  ])("fit a window at offset %i with %i rows", async (offset, count, pages) => {
    expect(await pagesFor(offset, count)).toEqual(pages);
  });

  it("do not repeat a page that already came in the service's own size", async () => {
    const { asked, load } = serviceOf({ length: 1000, sizeOf: (size) => Math.min(size, 50) });
    await readWindow(load, filter, 0, 100);
    expect(asked.map(({ pageIndex, pageSize }) => [pageIndex, pageSize])).toEqual([
      [1, 100],
      [2, 50],
    ]);
  });

  it("do not reach beyond the end of the list", async () => {
    const { asked, load } = serviceOf({ length: 60, sizeOf: (size) => size });
    await readWindow(load, filter, 50, 100);
    expect(asked.length).toBe(1);
  });
});

describe("readWindow with inconsistent pages", () => {
  const page = { rows: rows(0, 10), total: 30, pageIndex: 1, pageSize: 10 };

  it.each([
    ["more rows than the page has", { rows: rows(0, 11) }],
    ["no rows before the end", { rows: [] }],
    ["a page other than the requested one", { pageIndex: 2 }],
    ["a page size of 0", { pageSize: 0, rows: [] }],
    ["a page size beyond the limit", { pageSize: 101, rows: rows(0, 30) }],
    ["more rows than the total", { rows: rows(0, 4), total: 3 }],
  ])("throws UPSTREAM_CONTRACT for %s", async (_name, changes) => {
    const window = readWindow(async () => ({ ...page, ...changes }), filter, 0, 10);
    await expect(window).rejects.toMatchObject({ code: "UPSTREAM_CONTRACT" });
  });

  it("throws where a page has more rows than the total leaves for it", async () => {
    const { load } = serviceOf({ length: 300, sizeOf: (size) => size });
    const lying = async (query: CallLogQuery) => ({ ...(await load(query)), total: 57 });
    expect((await readWindow(lying, filter, 40, 10)).rows).toEqual(rows(40, 50));
    await expect(readWindow(lying, filter, 50, 10)).rejects.toMatchObject({ code: "UPSTREAM_CONTRACT" });
    await expect(readWindow(lying, filter, 45, 20)).rejects.toMatchObject({ code: "UPSTREAM_CONTRACT" });
  });

  it("returns an empty window for an empty list with odd page numbers", async () => {
    const nothing = { rows: [], total: 0, pageIndex: 0, pageSize: 0 };
    expect(await readWindow(async () => nothing, filter, 20, 10)).toMatchObject({ rows: [], total: 0, moved: false });
  });

  it("passes an error of the service on unchanged", async () => {
    const failure = new Error("down");
    await expect(readWindow(() => Promise.reject(failure), filter, 0, 10)).rejects.toBe(failure);
  });
});

describe("readWindow over a list that shows a call twice", () => {
  const twice = (own: Partial<CallLogRecord>) => async () => {
    const page = [row(0), { ...row(1), ...own }, { ...row(2), ...own }, row(3)];
    return { rows: page, total: 4, pageIndex: 1, pageSize: 10 };
  };

  it("reports that the list moved if one page shows a call twice", async () => {
    expect(await readWindow(twice({ sessionId: "same" }), filter, 0, 10)).toMatchObject({ moved: true, total: 4 });
    expect(await readWindow(twice({}), filter, 0, 10)).toMatchObject({ moved: false });
    expect(windowWithin([await twice({ sessionId: "same" })()], 1, 2)).toMatchObject({ moved: true });
  });

  it("finds a repeated session ID in any list", () => {
    const id = fc.option(
      fc.oneof(
        fc.string(),
        fc.nat(30).map((at) => `call-${at}@host`),
      ),
    );
    fc.assert(
      fc.property(fc.array(id, { maxLength: 100, size: "max" }), (ids) => {
        const known = ids.filter((each) => each !== null);
        const list = ids.map((sessionId) => ({ ...row(0), sessionId }));
        expect(hasDuplicateCall(list)).toBe(new Set(known).size < known.length);
      }),
      { numRuns: 500 },
    );
  });

  it("does not take equal calls without a session ID for one call", async () => {
    expect(await readWindow(twice({ sessionId: null }), filter, 0, 10)).toMatchObject({ moved: false });
  });
});

describe("readWindow with an invalid window", () => {
  it.each([
    [-1, 10],
    [0.5, 10],
    [Number.NaN, 10],
    [0, 0],
    [0, 102],
    [0, 1.5],
  ])("throws a RangeError for offset %d and count %d", async (offset, count) => {
    const { asked, load } = serviceOf({ length: 10, sizeOf: (size) => size });
    await expect(readWindow(load, filter, offset, count)).rejects.toThrow(RangeError);
    expect(asked).toEqual([]);
  });
});
