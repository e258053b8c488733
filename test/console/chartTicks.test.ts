import * as fc from "fast-check";
import { expect, it } from "vitest";
import { chartTicks } from "../../console/src/ui/chartTicks.ts";

it.each([
  [4, [0, 1, 2, 3, 4]],
  [4.4, [0, 1, 2, 3, 4]],
  [9, [0, 2, 4, 6, 8]],
  [8, [0, 2, 4, 6, 8]],
  [100, [0, 50, 100]],
  [211.2, [0, 50, 100, 150, 200]],
  [1650, [0, 500, 1000, 1500]],
])("an axis up to %s has the marks %j", (highest, marks) => {
  expect(chartTicks(highest)).toEqual(marks);
});

it("an axis has two to five marks, from 0 to near its end, in steps of 1, 2 or 5", () => {
  fc.assert(
    fc.property(fc.double({ min: 1, max: 1e9, noNaN: true }), (highest) => {
      const marks = chartTicks(highest);
      const [zero, step = 0] = marks;
      expect(zero).toBe(0);
      expect(marks.length).toBeGreaterThanOrEqual(2);
      expect(marks.length).toBeLessThanOrEqual(5);
      expect(String(step)).toMatch(/^[125]0*$/);
      expect(highest - (marks.at(-1) as number)).toBeLessThan(step);
    }),
  );
});
