import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAfter } from "../../src/loaders/callLogAfter.ts";
import type { CallLogQuery, CallLogRecord } from "../../src/upstream/upstream.ts";
import { callLogQuery } from "../upstream/service.ts";
import { inserts, movingList, moves, readThrough, removals, type Move, type Order } from "./movingList.ts";
import { callLog } from "./world.ts";

const order = fc.constantFrom<Order>("newest", "oldest", "none");
const first = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 100 }));
const length = fc.integer({ min: 0, max: 320 });
const most = fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 100 }));
const between = (move: fc.Arbitrary<Move>) => fc.array(fc.array(move, { maxLength: 4 }), { maxLength: 12 });
/** Generous, because the time depends on the number of requests. */
const runs = { numRuns: 150 };

type Outcome = Awaited<ReturnType<typeof readThrough>>;

function expectRight({ lost, repeated, drift }: Outcome) {
  if (!drift) expect({ lost, repeated }).toEqual({ lost: [], repeated: [] });
}

describe("a list without drift neither loses nor repeats rows", () => {
  it("loses and repeats no row while rows are added and removed between pages of any size", async () => {
    let followed = 0;
    await fc.assert(
      fc.asyncProperty(length, order, first, most, between(moves), async (rows, sorted, size, clamp, changes) => {
        const outcome = await readThrough(
          movingList(rows, sorted, clamp),
          Math.max(size, Math.ceil(rows / 40)),
          changes,
        );
        expectRight(outcome);
        if (!outcome.drift) followed += 1;
      }),
      runs,
    );
    // In most cases the list is followed, so the test is meaningful.
    expect(followed).toBeGreaterThan(runs.numRuns / 2);
  });

  it("loses and repeats no row while rows are added and removed between two requests for one page", async () => {
    await fc.assert(
      fc.asyncProperty(
        length,
        order,
        first,
        fc.array(moves, { maxLength: 30 }),
        async (rows, sorted, size, changes) => {
          const list = movingList(rows, sorted, 100, () => list.move(changes.splice(0, 1)));
          expectRight(await readThrough(list, Math.max(size, Math.ceil(rows / 40)), []));
        },
      ),
      runs,
    );
  });

  it.each([
    ["come", inserts],
    ["go", removals],
  ])(
    "loses and repeats no row while rows %s between requests to a service with smaller pages",
    async (_, move: fc.Arbitrary<Move>) => {
      await fc.assert(
        fc.asyncProperty(length, order, first, most, fc.array(move, { maxLength: 20 }), async (...given) => {
          const [rows, sorted, size, clamp, changes] = given;
          const list = movingList(rows, sorted, clamp, () => list.move(changes.splice(0, 1)));
          expectRight(await readThrough(list, Math.max(size, Math.ceil(rows / 40)), []));
        }),
        runs,
      );
    },
  );
});

describe("a cursor follows a list", () => {
  const added = (count: number, insert = 1): Move[] =>
    Array.from({ length: count }, () => ({ insert, hasSession: true }));

  it.each([1, 9, 10, 60, 250])("follows a list to which %i rows were added before it", async (count) => {
    const list = movingList(120, "newest");
    expect(await readThrough(list, 10, [added(count)])).toMatchObject({ lost: [], repeated: [], drift: false });
  });

  it.each([1, 9, 40])("follows a list from which %i rows were removed before it", async (count) => {
    const list = movingList(120, "newest");
    const gone = Array.from({ length: count }, () => ({ remove: 0 }));
    expect(await readThrough(list, 50, [gone])).toMatchObject({ lost: [], repeated: [], drift: false });
  });

  it.each([1, 30])("follows a list without drift if %i rows are added or removed behind it", async (count) => {
    const come = await readThrough(movingList(120, "oldest"), 10, [added(count)]);
    const gone = await readThrough(movingList(120, "oldest"), 10, [
      Array.from({ length: count }, () => ({ remove: 0.99 })),
    ]);
    for (const outcome of [come, gone]) expect(outcome).toMatchObject({ lost: [], repeated: [], drift: false });
  });
});

describe("drift", () => {
  it("is reported on this page and on later ones if the row of the cursor is gone", async () => {
    const list = movingList(60, "oldest");
    expect(await readThrough(list, 20, [[{ remove: 19.5 / 60 }]])).toMatchObject({ drifts: [false, true, true] });
  });

  it("is reported if the row of the cursor moved to a distant page", async () => {
    const list = movingList(600, "newest");
    const { pageInfo } = await list.page(10, null);
    // As many rows are added before it as removed behind it, so the total does not tell its distance.
    list.move(Array.from({ length: 300 }, () => ({ insert: 1, hasSession: true })));
    list.move(Array.from({ length: 300 }, () => ({ remove: 0.999 })));
    expect(await list.page(10, pageInfo.endCursor())).toMatchObject({ driftDetected: true });
  });

  it("is reported if a row moved across the cursor", async () => {
    const list = movingList(60, "newest");
    const { pageInfo } = await list.page(10, null);
    list.move([{ remove: 0.9 }, { insert: 1, hasSession: true }]);
    expect(await list.page(10, pageInfo.endCursor())).toMatchObject({ driftDetected: true });
  });

  it("is reported if several rows are equal to the row of the cursor", async () => {
    const rows = [1, 2, 2, 3].map((billsec) => callLog({ sessionId: null, billsec }));
    const list = async (query: CallLogQuery) => ({ rows, total: 4, pageIndex: query.pageIndex, pageSize: 100 });
    const nameOf = (row: CallLogRecord) => String(row.billsec);
    const behind = (row: string) => readAfter(list, callLogQuery(), { offset: 1, total: 3, row }, 10, nameOf);
    expect(await behind("2")).toMatchObject({ drift: true });
    expect(await behind("3")).toMatchObject({ drift: true, offset: 4 });
  });

  it("is reported if the list became empty", async () => {
    const list = movingList(10, "newest");
    const { cursorAt } = await list.page(10, null);
    list.move(Array.from({ length: 10 }, () => ({ remove: 0 })));
    expect(await list.page(10, cursorAt(4))).toMatchObject({ driftDetected: true, rows: [] });
  });
});

describe("a list that does not change", () => {
  it.each([1, 5, 10, 20, 33, 50])("costs one request for each page of %i", async (size) => {
    const list = movingList(400, "newest");
    const { pages, drift } = await readThrough(list, size, []);
    expect({ asked: list.asked.length, drift }).toEqual({ asked: pages, drift: false });
  });

  it("costs at most two requests for a page of any size at any place", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100 }), async (size) => {
        const list = movingList(450, "none");
        const { pages } = await readThrough(list, Math.max(4, size), []);
        expect(list.asked.length).toBeLessThanOrEqual(2 * pages);
      }),
      { numRuns: 30 },
    );
  });
});
