import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAbortableQueue } from "../../src/util/abortableQueue.ts";

describe("a line is left from any place, and keeps the order of the others", () => {
  it("whoever comes and goes, and once only", () => {
    const steps = fc.array(fc.oneof(fc.constant("come" as const), fc.nat(20)), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (taken) => {
        const line = createAbortableQueue<number>();
        const leaves: (() => void)[] = [];
        let waiting: number[] = [];
        for (const step of taken) {
          if (step === "come") {
            waiting.push(leaves.length);
            leaves.push(line.add(leaves.length));
          } else {
            leaves[step]?.();
            waiting = waiting.filter((value) => value !== step);
          }
          expect([line.first(), line.size()]).toEqual([waiting[0], waiting.length]);
        }
      }),
    );
  });
});
