import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageEnd, planPages, pageStart } from "../../src/loaders/pagePlan.ts";

const offsets = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 10_000_000 }));

describe("planPages", () => {
  it("plans one page or two overlapping ones for any window", () => {
    fc.assert(
      fc.property(offsets, fc.integer({ min: 1, max: 101 }), (offset, count) => {
        const [earlier, later, ...more] = planPages(offset, count);
        expect(earlier && pageStart(earlier) <= offset && more.length === 0).toBe(true);
        if (!earlier) return;
        expect(earlier.pageIndex >= 1 && earlier.pageSize >= 1 && earlier.pageSize <= 100).toBe(true);
        expect(pageEnd(later ?? earlier)).toBeGreaterThanOrEqual(offset + count);
        if (!later) return;
        expect(later.pageIndex >= 1 && later.pageSize >= 1 && later.pageSize <= 100).toBe(true);
        expect(pageStart(later)).toBeLessThan(pageEnd(earlier));
      }),
      { numRuns: 2000 },
    );
  });

  it("plans at most one and a half times the window's rows", () => {
    fc.assert(
      fc.property(offsets, fc.integer({ min: 2, max: 101 }), (offset, count) => {
        const pages = planPages(offset, count);
        if (pages.length === 1) return;
        const rows = pages.reduce((sum, { pageSize }) => sum + pageSize, 0);
        expect(rows).toBeLessThanOrEqual(1.5 * count);
      }),
    );
  });
});
