import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSigner } from "../../src/util/hmac.ts";
import { callLogs } from "../../src/resolvers/callLogs.ts";
import type { CallLogRecord } from "../../src/upstream/upstream.ts";
import { world } from "../resolvers/world.ts";
import { firstRows, fits, oddService, rowsOf, type Habits } from "./oddService.ts";

const rows = rowsOf(75, (at) => ({
  taskId: ["1", "12", "123"][at % 3] as string,
  direction: at % 2 === 0 ? "outbound" : "inbound",
  assistants: [...(at % 2 === 0 ? ["4"] : []), ...(at % 5 === 0 ? ["45"] : [])].map((assistantId) => ({
    assistantId,
    versionId: "1",
  })),
}));

/** All pages of a list to its end, or the code it ended with. */
async function readThrough(habits: Habits, first: number): Promise<{ rows: CallLogRecord[]; drift: boolean } | string> {
  const service = oddService(habits);
  const { context } = world();
  const all: CallLogRecord[] = [];
  let after: string | null = null;
  try {
    for (let pages = 0; pages < 100; pages += 1) {
      const own = { ...context, signer: createSigner(Buffer.alloc(32, 7)), loaders: service.loaders() };
      const list: Awaited<ReturnType<typeof callLogs>> = await callLogs({ first, after }, own);
      all.push(...list.rows);
      if (list.driftDetected) return { rows: all, drift: true };
      if (!list.pageInfo.hasNextPage) return { rows: all, drift: false };
      after = list.pageInfo.endCursor();
    }
    return "endless";
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const namesOf = (list: readonly CallLogRecord[]) => list.map(({ sessionId }) => String(sessionId)).sort();

let turn = 0;
const shuffled = (list: readonly CallLogRecord[]) => {
  turn += 1;
  return list.toSorted((a, b) => hash(`${a.sessionId}${turn}`) - hash(`${b.sessionId}${turn}`));
};
const hash = (text: string) => Buffer.from(text).reduce((sum, byte) => (sum * 31 + byte) % 1_000_003, 7);

const services: Record<string, Omit<Habits, "rows">> = {
  "gives 50 rows at most, and says so": { reads: (query) => ({ ...query, pageSize: Math.min(query.pageSize, 50) }) },
  "gives 50 rows at most, unsaid": {
    reads: (query) => ({ ...query, pageSize: Math.min(query.pageSize, 50) }),
    tells: (page, { pageSize }) => ({ ...page, pageSize }),
  },
  "gives 10 rows always, unsaid": {
    reads: (query) => ({ ...query, pageSize: 10 }),
    tells: (page, { pageSize }) => ({ ...page, pageSize }),
  },
  "counts its pages from 0": {
    reads: (query) => ({ ...query, pageIndex: query.pageIndex + 1 }),
    tells: (page, { pageIndex }) => ({ ...page, pageIndex }),
  },
  "tells its pages from 0": { tells: (page) => ({ ...page, pageIndex: page.pageIndex - 1 }) },
  "ignores the page's index": {
    reads: (query) => ({ ...query, pageIndex: 1 }),
    tells: (page, { pageIndex }) => ({ ...page, pageIndex }),
  },
  "has no order that lasts": {
    tells: (page, { pageIndex, pageSize }, found) => ({
      ...page,
      rows: shuffled(found).slice((pageIndex - 1) * pageSize, pageIndex * pageSize),
    }),
  },
  "repeats a page's last row on the next": {
    tells: (page, { pageIndex, pageSize }, found) => {
      const start = (pageIndex - 1) * Math.max(1, pageSize - 1);
      return { ...page, rows: found.slice(start, start + pageSize) };
    },
  },
  "counts the rows of the page": { tells: (page) => ({ ...page, total: page.rows.length }) },
  "counts to 50 at most": { tells: (page) => ({ ...page, total: Math.min(page.total, 50) }) },
  "counts one too many": { tells: (page) => ({ ...page, total: page.total + 1 }) },
  "counts none": { tells: (page) => ({ ...page, total: 0 }) },
  "leaves out the last row of each page": { tells: (page) => ({ ...page, rows: page.rows.slice(0, -1) }) },
};

describe.each(Object.entries(services))("a service that %s", (_, habits) => {
  it("lists each call once in order, reports drift, or gets an error code", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 75 }), fc.integer({ min: 1, max: 100 }), async (length, first) => {
        const own = rows.slice(0, length);
        const result = await readThrough({ ...habits, rows: own }, first);
        expect(result).not.toBe("endless");
        if (typeof result === "string") expect(result).toBe("UPSTREAM_CONTRACT");
        else if (!result.drift) expect(namesOf(result.rows)).toEqual(namesOf(own));
      }),
      { numRuns: 60 },
    );
  });
});

describe("a service that compares ids as text", () => {
  it.each([
    ["begins with", (id: string, asked: string) => id.startsWith(asked)],
    ["holds", (id: string, asked: string) => id.includes(asked)],
  ] as const)("is detected if an id matches when it %s the requested one", async (_, matches) => {
    const tells: Habits["tells"] = (page, query) => {
      const found = rows.filter(({ taskId }) => query.taskIds.every((asked) => matches(taskId as string, asked)));
      const start = (query.pageIndex - 1) * query.pageSize;
      return { ...page, rows: found.slice(start, start + query.pageSize), total: found.length };
    };
    for (const asked of ["1", "12", "123"]) {
      const list = await firstRows(oddService({ rows, tells }).loaders(), { taskIds: [asked] }, 3);
      if (list !== "UPSTREAM_FILTER_IGNORED") expect(list).toMatchObject({ total: 25 });
    }
  });
});

describe("a service that matches calls with all of the requested assistants", () => {
  it("is accepted, because no row contradicts the filter", async () => {
    const both = (row: CallLogRecord) => row.assistants.length === 2;
    const tells: Habits["tells"] = (page, query) => {
      if (query.assistantIds.length < 2) return page;
      const found = rows.filter(both);
      return { ...page, rows: found.slice(0, query.pageSize), total: found.length };
    };
    const list = await firstRows(oddService({ rows, tells }).loaders(), { assistantIds: ["4", "45"] }, 20);
    expect(list).toMatchObject({ total: rows.filter(both).length });
    expect(rows.filter((row) => fits(row, { ...noFilter, assistantIds: ["45"] }) && !both(row)).length).toBeGreaterThan(
      0,
    );
  });
});
const noFilter = {
  taskIds: [],
  direction: null,
  phone: null,
  assistantIds: [],
  kind: null,
  since: "",
  until: "",
  pageIndex: 1,
  pageSize: 1,
};
