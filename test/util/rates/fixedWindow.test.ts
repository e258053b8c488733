import { describe, expect, it } from "vitest";
import { createFixedWindow } from "../../../src/util/rates/fixedWindow.ts";

describe("A fixed window", () => {
  it("clears its counts at the first look at or after its end, and says how long the present one lasts", () => {
    let now = 100;
    let cleared = 0;
    const window = createFixedWindow(
      60,
      () => now,
      () => (cleared += 1),
    );
    const look = (at: number) => {
      now = at;
      return [window.leftMs(), cleared];
    };
    expect([100, 159, 160, 161, 500, 559].map(look)).toEqual([
      [60, 0],
      [1, 0],
      [60, 1],
      [59, 1],
      [60, 2],
      [1, 2],
    ]);
  });
});
