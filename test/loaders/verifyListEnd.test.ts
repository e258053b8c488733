import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CodedError } from "../../src/errors.ts";
import type { CallLogPage } from "../../src/upstream/upstream.ts";
import { firstRows, oddService, rowsOf, type Habits } from "./oddService.ts";

const length = fc.integer({ min: 0, max: 260 });
const windows = fc.array(
  fc.record({ offset: fc.integer({ min: 0, max: 120 }), count: fc.integer({ min: 1, max: 101 }) }),
  {
    minLength: 1,
    maxLength: 6,
  },
);

/** Ways to return a total that is too small. */
const liars: Record<string, NonNullable<Habits["tells"]>> = {
  "counts the rows of the page": (page) => ({ ...page, total: page.rows.length }),
  "counts up to the end of the page": (page) => ({
    ...page,
    total: page.rows.length === 0 ? 0 : (page.pageIndex - 1) * page.pageSize + page.rows.length,
  }),
  "counts to 100 at most": (page) => ({ ...page, total: Math.min(page.total, 100) }),
  "is rounded down to tens": (page) => ({ ...page, total: Math.floor(page.total / 10) * 10 }),
  "is rounded down to tens above 20": (page) => ({
    ...page,
    total: page.total > 20 ? Math.floor(page.total / 10) * 10 : page.total,
  }),
  "is one too small": (page) => ({ ...page, total: Math.max(0, page.total - 1) }),
};

describe.each(Object.entries(liars))("a service whose total %s", (_, tells) => {
  it("leads to the right rows or UPSTREAM_CONTRACT", async () => {
    await fc.assert(
      fc.asyncProperty(length, windows, async (length, windows) => {
        const rows = rowsOf(length);
        const service = oddService({ rows, tells });
        for (const { offset, count } of windows) {
          const list = await firstRows(service.loaders(), {}, count, offset);
          if (list === "UPSTREAM_CONTRACT" || offset > 0) continue;
          expect(list).toMatchObject({ rows: rows.slice(0, count), total: length });
        }
      }),
    );
  });
});

describe("a service that rounds totals above 20 down to tens", () => {
  const task = (taskId: string, count: number) => rowsOf(count, (at) => ({ taskId, sessionId: `${taskId}-${at}` }));
  const rows = [...task("1", 17), ...task("2", 40), ...task("3", 43)];
  const tells = liars["is rounded down to tens above 20"] as NonNullable<Habits["tells"]>;

  it.each([5, 10, 40])("is detected even after a smaller list and a round one were right: first %i", async (count) => {
    const service = oddService({ rows, tells });
    expect(await firstRows(service.loaders(), { taskIds: ["1"] }, 5)).toMatchObject({ total: 17 });
    expect(await firstRows(service.loaders(), { taskIds: ["2"] }, 8)).toMatchObject({ total: 40 });
    expect(await firstRows(service.loaders(), { taskIds: ["3"] }, count)).toBe("UPSTREAM_CONTRACT");
  });

  it("gets a single request if a larger total is known to be exact", async () => {
    const service = oddService({ rows: [...task("1", 43), ...task("2", 40)] });
    await firstRows(service.loaders(), { taskIds: ["1"] }, 10);
    const before = service.asked.length;
    expect(await firstRows(service.loaders(), { taskIds: ["2"] }, 40)).toMatchObject({ total: 40 });
    expect(service.asked.length).toBe(before + 1);
  });
});

describe("a service that returns other pages than requested", () => {
  const habits: Record<string, NonNullable<Habits["reads"]>> = {
    "counts them from 0": (query) => ({ ...query, pageIndex: query.pageIndex + 1 }),
    "gives the first one always": (query) => ({ ...query, pageIndex: 1 }),
    "gives pages of 50 at most, unsaid, from 0": ({ pageIndex, pageSize, ...query }) => ({
      ...query,
      pageIndex: pageIndex + 1,
      pageSize: Math.min(pageSize, 50),
    }),
  };

  it.each(Object.entries(habits))("leads to the right rows, drift or UPSTREAM_CONTRACT if it %s", async (_, reads) => {
    await fc.assert(
      fc.asyncProperty(length, windows, async (length, windows) => {
        const rows = rowsOf(length);
        const echoPosition: Habits["tells"] = (page, { pageIndex, pageSize }) => ({ ...page, pageIndex, pageSize });
        const service = oddService({ rows, reads, tells: echoPosition });
        for (const { count } of windows) {
          const list = await firstRows(service.loaders(), {}, count);
          if (list === "UPSTREAM_CONTRACT") continue;
          expect(list).toMatchObject({ rows: rows.slice(0, count), total: length });
        }
      }),
      { examples: [[102, [1, 101, 1].map((count) => ({ offset: 0, count }))]] },
    );
  });
});

describe("a service whose lists end correctly", () => {
  const beyond: Record<string, (page: CallLogPage, last: CallLogPage, first: CallLogPage) => CallLogPage> = {
    "no rows": (page) => page,
    "the last page again, by its own index": (_, last) => last,
    "the last page again, as if it were another": (page, last) => ({ ...page, rows: last.rows }),
    "the first page again, by its own index": (_, __, first) => first,
    "the first page again, as if it were another": (page, _, first) => ({ ...page, rows: first.rows }),
    "a rejection": () => {
      throw new CodedError("UPSTREAM_REJECTED", "No such page.");
    },
    "a failure": () => {
      throw new CodedError("UPSTREAM_UNAVAILABLE", "The service answered 500.");
    },
    "an unreadable answer": () => {
      throw new CodedError("UPSTREAM_CONTRACT", "No items.");
    },
  };

  it.each(Object.entries(beyond))("are accepted if it answers beyond the end with %s", async (_, answer) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 20 }), async (length, count) => {
        const rows = rowsOf(length);
        const tells: Habits["tells"] = (page, _query, found) => {
          const { pageIndex, pageSize, total } = page;
          const last = Math.max(1, Math.ceil(total / pageSize));
          const at = (index: number) => found.slice((index - 1) * pageSize, index * pageSize);
          if (pageIndex <= last) return page;
          return answer(page, { ...page, pageIndex: last, rows: at(last) }, { ...page, pageIndex: 1, rows: at(1) });
        };
        const service = oddService({ rows, tells });
        expect(await firstRows(service.loaders(), {}, count)).toMatchObject({
          rows: rows.slice(0, count),
          total: length,
          moved: false,
        });
        expect(service.asked.length).toBeLessThanOrEqual(4);
      }),
    );
  });
});

describe("the check of a list's end", () => {
  it("runs once, and not again once a total was larger than its page", async () => {
    const service = oddService({ rows: rowsOf(36) });
    await firstRows(service.loaders(), {}, 12);
    expect(service.asked.map(({ pageIndex, pageSize }) => [pageIndex, pageSize])).toEqual([
      [1, 12],
      [3, 12],
      [4, 12],
    ]);
    for (const count of [12, 18]) await firstRows(service.loaders(), {}, count);
    expect(service.asked.length).toBe(5);
  });

  it("loads the page after the full last page of each list while all totals may be rounded to tens", async () => {
    const service = oddService({ rows: rowsOf(30) });
    for (const phone of [null, "13800010001", "A068"]) await firstRows(service.loaders(), { phone }, 30);
    expect(service.asked.filter(({ pageIndex, pageSize }) => pageSize === 30 && pageIndex === 2).length).toBe(3);
  });

  it("sends a single request for ten minutes if a round total of the list was right, whatever the page", async () => {
    let now = 0;
    const service = oddService({ rows: rowsOf(30), now: () => now });
    const requestsFor = async (count: number, query = {}) => {
      const before = service.asked.length;
      expect(await firstRows(service.loaders(), query, count)).toMatchObject({ total: 30 });
      return service.asked.length - before;
    };
    expect(await requestsFor(10)).toBe(3);
    now = 10 * 60_000 - 1;
    for (const count of [30, 10, 7]) expect(await requestsFor(count)).toBe(1);
    expect(await requestsFor(10, { taskIds: ["7"] })).toBe(3);
    now += 1;
    expect(await requestsFor(10)).toBe(3);
  });

  it("sends a single request if the last page is not full", async () => {
    const service = oddService({ rows: rowsOf(25) });
    for (const count of [10, 5, 25]) await firstRows(service.loaders(), {}, count);
    expect(service.asked.length).toBe(4);
  });

  it("runs for each list once rows were found after the end", async () => {
    const service = oddService({ rows: rowsOf(20), tells: liars["counts the rows of the page"] as never });
    for (const count of [20, 10, 10]) await firstRows(service.loaders(), {}, count);
    const looks = service.asked.filter(({ pageIndex }) => pageIndex === 2);
    expect([looks.length, service.asked.length]).toEqual([5, 10]);
  });

  it("tries a second time, because a call may have been added meanwhile", async () => {
    const rows = rowsOf(10);
    const service = oddService({
      rows,
      tells(page) {
        if (service.asked.length === 1) rows.push(...rowsOf(1, () => ({ sessionId: "new" })));
        return page;
      },
    });
    const list = await firstRows(service.loaders(), {}, 10);
    expect(list).toMatchObject({ total: 11, rows: rows.slice(0, 10) });
  });

  it("fails with QUERY_TOO_COMPLEX if the caller has no request left", async () => {
    const service = oddService({
      rows: rowsOf(10),
      tells(page, { pageIndex }) {
        if (pageIndex > 1) throw new CodedError("RATE_LIMITED", "Too much.");
        return page;
      },
    });
    expect(await firstRows(service.loaders(), {}, 10)).toBe("RATE_LIMITED");
  });
});
