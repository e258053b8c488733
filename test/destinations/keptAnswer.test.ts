import { describe, expect, it } from "vitest";
import { answerOf } from "../../src/destinations/keptAnswer.ts";
import { maskText } from "../../src/privacy/maskPhone.ts";

describe("The kept answer of a receiver", () => {
  it("shows no phone number that is cut at its end", () => {
    const deps = { mask: maskText, clock: () => 0 };
    for (let before = 280; before < 300; before += 1) {
      const text = `${"x ".repeat(150).slice(0, before)} 13800010001`;
      const { text: kept } = answerOf({ outcome: "failed", status: 500, text, retryAfterMs: null, isOwn: false }, deps);
      expect(kept?.length).toBeLessThanOrEqual(300);
      expect(kept).not.toMatch(/1380001/);
    }
  });
});
