import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRange } from "../../src/reconcile/readRange.ts";
import type { CallLogPage } from "../../src/upstream/upstream.ts";
import { row } from "./service.ts";

interface List {
  /** Session ids, in the list's order. */
  ids: string[];
  size?: number;
  /** Before each page but the first. */
  move?: (ids: string[], pageIndex: number) => void;
  tell?: (page: CallLogPage) => CallLogPage;
}

function listOf({ ids, size = 10, move, tell = (page) => page }: List) {
  const list = [...ids];
  const met = new Set<string>();
  let requests = 0;
  return {
    list,
    met,
    requests: () => requests,
    loadPage: async (pageIndex: number) => {
      requests += 1;
      if (requests > 1) move?.(list, pageIndex);
      const rows = list.slice((pageIndex - 1) * size, pageIndex * size).map((sessionId) => row({ sessionId }));
      return tell({ rows, total: list.length, pageIndex, pageSize: size });
    },
    mayBeFull: (rows: number) => rows >= size,
    addRows: async (rows: readonly { sessionId: string | null }[]) => {
      for (const { sessionId } of rows) met.add(sessionId ?? "");
    },
  };
}

const names = (count: number, prefix = "") => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
/** Where in the list something happens, as shares of its length, one for each request. */
const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 });
const counts = fc.integer({ min: 0, max: 60 });

describe("every row that is in the list all the while is met", () => {
  it("in one pass where rows only come, wherever that is", async () => {
    await fc.assert(
      fc.asyncProperty(counts, places, async (count, at) => {
        let come = 0;
        const move = (ids: string[]) => {
          const place = at[come];
          if (place !== undefined) ids.splice(Math.floor(place * (ids.length + 1)), 0, `new${(come += 1)}`);
        };
        const service = listOf({ ids: names(count), move });
        expect(await readRange(service)).toBe("whole");
        expect(names(count).filter((name) => !service.met.has(name))).toEqual([]);
        expect(service.requests()).toBeLessThanOrEqual(Math.ceil((count + come) / 10) + 1);
      }),
    );
  });

  it("after another pass where rows go, wherever that is", async () => {
    await fc.assert(
      fc.asyncProperty(counts, places, async (count, at) => {
        let gone = 0;
        const move = (ids: string[]) => {
          const place = at[gone];
          if (place === undefined) return;
          ids.splice(Math.floor(place * ids.length), 1);
          gone += 1;
        };
        const service = listOf({ ids: names(count), move });
        // Doubtful: the list never stood still, and a later search reads it.
        fc.pre((await readRange(service)) === "whole");
        expect(service.list.filter((name) => !service.met.has(name))).toEqual([]);
      }),
    );
  });

  it("also where a row goes from a page that was read, and the next page's first moves up unseen", async () => {
    const service = listOf({
      ids: names(30),
      move: (ids, page) => void (ids.length === 30 && page === 2 && ids.shift()),
    });
    expect(await readRange(service)).toBe("whole");
    expect(service.met.size).toBe(30);
    expect(service.requests()).toBe(6);
  });
});

describe("a list that does not add up is read again, so often and no more", () => {
  it("gives up on one that shrinks all the while", async () => {
    const service = listOf({ ids: names(400), move: (ids) => void ids.shift() });
    expect(await readRange(service)).toBe("doubtful");
    expect(service.requests()).toBeLessThanOrEqual(120);
  });

  it("says so of a total that is never reached, once a second pass finds nothing new", async () => {
    const tell = (page: CallLogPage) => ({ ...page, total: page.total + 1 });
    const service = listOf({ ids: names(25), tell });
    expect(await readRange(service)).toBe("doubtful");
    expect(service.requests()).toBe(8);
  });

  it.each([0, 57, 257])("reads on behind a total of %i that the rows before it contradict", async (total) => {
    const service = listOf({ ids: names(300), size: 100, tell: (page) => ({ ...page, total }) });
    expect(await readRange(service)).toBe("whole");
    expect(service.met.size).toBe(300);
    expect(service.requests()).toBe(4);
  });

  it("ends where the last page is given for ever", async () => {
    const ids = names(25);
    const service = listOf({ ids });
    const last = ids.slice(20).map((sessionId) => row({ sessionId }));
    const load = async (pageIndex: number) =>
      pageIndex > 2 ? { rows: last, total: 99, pageIndex: 3, pageSize: 10 } : await service.loadPage(pageIndex);
    const reading = readRange({ ...service, loadPage: async (at) => ({ ...(await load(at)), total: 99 }) });
    expect(await reading).toBe("doubtful");
    expect(service.met.size).toBe(25);
  });

  it("reads on behind full pages whose total counts their rows only", async () => {
    await fc.assert(
      fc.asyncProperty(counts, async (count) => {
        const tell = (page: CallLogPage) => ({ ...page, total: page.rows.length });
        const service = listOf({ ids: names(count), tell });
        await readRange(service);
        expect(service.met.size).toBe(count);
      }),
    );
  });

  it("says so of a service that counts its pages from 0: its first page is not to be had", async () => {
    const service = listOf({ ids: names(25) });
    expect(await readRange({ ...service, loadPage: (at) => service.loadPage(at + 1) })).toBe("doubtful");
    const short = listOf({ ids: names(5) });
    expect(await readRange({ ...short, loadPage: (at) => short.loadPage(at + 1) })).toBe("doubtful");
  });

  it("asks once for an empty list, and once for one that is too long", async () => {
    const empty = listOf({ ids: [] });
    expect(await readRange(empty)).toBe("whole");
    const long = listOf({ ids: names(50) });
    expect(await readRange({ ...long, maxRows: 49 })).toBe("tooLong");
    expect([empty.requests(), long.requests(), long.met.size]).toEqual([1, 1, 0]);
  });

  it("takes pages that are smaller than was asked for", async () => {
    const service = listOf({ ids: names(35), size: 4 });
    expect(await readRange(service)).toBe("whole");
    expect(service.met.size).toBe(35);
    expect(service.requests()).toBe(9);
  });
});
