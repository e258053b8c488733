import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLimit } from "../../../src/store/scheduling/lane.ts";

describe("a lane", () => {
  it("lets so many work at once, in the order they came, and each comes to its end whatever others do", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { maxLength: 30 }),
        async (width, fails) => {
          const lane = createLimit(width);
          const begun: number[] = [];
          let working = 0;
          let most = 0;
          const works = fails.map((isFailing, at) =>
            lane(async () => {
              begun.push(at);
              working += 1;
              most = Math.max(most, working);
              await new Promise((resolve) => setImmediate(resolve));
              working -= 1;
              if (isFailing) throw new Error("failed");
              return at;
            }),
          );
          const settled = await Promise.allSettled(works);
          expect(begun).toEqual(fails.map((_, at) => at));
          expect(most).toBeLessThanOrEqual(width);
          expect(settled.map(({ status }) => status === "rejected")).toEqual(fails);
        },
      ),
    );
  });
});
