import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRange } from "../../src/loaders/readRange.ts";
import type { CallLogPage } from "../../src/upstream/upstream.ts";
import { row } from "../reconcile/service.ts";

interface List {
  /** Session IDs in the order of the list. */
  ids: string[];
  size?: number;
  /** Before each page but the first. */
  move?: (ids: string[], pageIndex: number) => void;
  mapPage?: (page: CallLogPage) => CallLogPage;
}

function listOf({ ids, size = 10, move, mapPage = (page) => page }: List) {
  const list = [...ids];
  const found = new Set<string>();
  let requests = 0;
  return {
    list,
    found,
    requests: () => requests,
    loadPage: async (pageIndex: number) => {
      requests += 1;
      if (requests > 1) move?.(list, pageIndex);
      const rows = list.slice((pageIndex - 1) * size, pageIndex * size).map((sessionId) => row({ sessionId }));
      return mapPage({ rows, total: list.length, pageIndex, pageSize: size });
    },
    mayBeFull: (rows: number) => rows >= size,
    addRows: async (rows: readonly { sessionId: string | null }[]) => {
      for (const { sessionId } of rows) found.add(sessionId ?? "");
    },
  };
}

const names = (count: number, prefix = "") => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
/** Positions of changes as shares of the list's length, one for each request. */
const positions = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 });
const counts = fc.integer({ min: 0, max: 60 });

describe("readRange() finds every row that stays in the list", () => {
  it("in one pass if rows are only added", async () => {
    await fc.assert(
      fc.asyncProperty(counts, positions, async (count, at) => {
        let added = 0;
        const move = (ids: string[]) => {
          const position = at[added];
          if (position !== undefined) ids.splice(Math.floor(position * (ids.length + 1)), 0, `new${(added += 1)}`);
        };
        const service = listOf({ ids: names(count), move });
        expect(await readRange(service)).toBe("complete");
        expect(names(count).filter((name) => !service.found.has(name))).toEqual([]);
        expect(service.requests()).toBeLessThanOrEqual(Math.ceil((count + added) / 10) + 1);
      }),
    );
  });

  it("in further passes if rows are removed", async () => {
    await fc.assert(
      fc.asyncProperty(counts, positions, async (count, at) => {
        let removed = 0;
        const move = (ids: string[]) => {
          const position = at[removed];
          if (position === undefined) return;
          ids.splice(Math.floor(position * ids.length), 1);
          removed += 1;
        };
        const service = listOf({ ids: names(count), move });
        // "incomplete": the list changed in every pass, and a later search reads it.
        fc.pre((await readRange(service)) === "complete");
        expect(service.list.filter((name) => !service.found.has(name))).toEqual([]);
      }),
    );
  });

  it("even if a removed row pulls another one past the edge of a page", async () => {
    const service = listOf({
      ids: names(30),
      move: (ids, page) => void (ids.length === 30 && page === 2 && ids.shift()),
    });
    expect(await readRange(service)).toBe("complete");
    expect(service.found.size).toBe(30);
    expect(service.requests()).toBe(6);
  });
});

describe("readRange() of a list whose pages do not add up", () => {
  it("gives up if the list shrinks in every pass", async () => {
    const service = listOf({ ids: names(400), move: (ids) => void ids.shift() });
    expect(await readRange(service)).toBe("incomplete");
    expect(service.requests()).toBeLessThanOrEqual(120);
  });

  it("is incomplete if the total is never reached and a second pass finds nothing new", async () => {
    const mapPage = (page: CallLogPage) => ({ ...page, total: page.total + 1 });
    const service = listOf({ ids: names(25), mapPage });
    expect(await readRange(service)).toBe("incomplete");
    expect(service.requests()).toBe(8);
  });

  it.each([0, 57, 257])("continues past a total of %i that is below the rows read", async (total) => {
    const service = listOf({ ids: names(300), size: 100, mapPage: (page) => ({ ...page, total }) });
    expect(await readRange(service)).toBe("complete");
    expect(service.found.size).toBe(300);
    expect(service.requests()).toBe(4);
  });

  it("reads again if the first pass finds none of the rows that the total states", async () => {
    let pages = 0;
    const mapPage = (page: CallLogPage) => ((pages += 1) === 1 ? { ...page, rows: [] } : page);
    const service = listOf({ ids: names(3), mapPage });
    expect(await readRange(service)).toBe("complete");
    expect([...service.found]).toEqual(names(3));
  });

  it("ends if the service repeats its last page", async () => {
    const ids = names(25);
    const service = listOf({ ids });
    const last = ids.slice(20).map((sessionId) => row({ sessionId }));
    const load = async (pageIndex: number) =>
      pageIndex > 2 ? { rows: last, total: 99, pageIndex: 3, pageSize: 10 } : await service.loadPage(pageIndex);
    const reading = readRange({ ...service, loadPage: async (at) => ({ ...(await load(at)), total: 99 }) });
    expect(await reading).toBe("incomplete");
    expect(service.found.size).toBe(25);
  });

  it("continues past full pages whose total counts only their own rows", async () => {
    await fc.assert(
      fc.asyncProperty(counts, async (count) => {
        const mapPage = (page: CallLogPage) => ({ ...page, total: page.rows.length });
        const service = listOf({ ids: names(count), mapPage });
        await readRange(service);
        expect(service.found.size).toBe(count);
      }),
    );
  });

  it("is incomplete if the service counts pages from 0", async () => {
    const service = listOf({ ids: names(25) });
    expect(await readRange({ ...service, loadPage: (at) => service.loadPage(at + 1) })).toBe("incomplete");
    const short = listOf({ ids: names(5) });
    expect(await readRange({ ...short, loadPage: (at) => short.loadPage(at + 1) })).toBe("incomplete");
  });

  it("needs one request for an empty list or one that is too long", async () => {
    const empty = listOf({ ids: [] });
    expect(await readRange(empty)).toBe("complete");
    const long = listOf({ ids: names(50) });
    expect(await readRange({ ...long, maxRows: 49 })).toBe("tooLong");
    expect([empty.requests(), long.requests(), long.found.size]).toEqual([1, 1, 0]);
  });

  it("accepts pages smaller than requested", async () => {
    const service = listOf({ ids: names(35), size: 4 });
    expect(await readRange(service)).toBe("complete");
    expect(service.found.size).toBe(35);
    expect(service.requests()).toBe(9);
  });
});
