import { describe, expect, it } from "vitest";
import { deliveryOf, reviseCall } from "../../src/events/reviseCall.ts";
import { callHoldsPhone } from "../../src/privacy/callMatcher.ts";
import { callEnded } from "../events/callEnded.ts";

const AT = "2026-11-20T09:30:00.000Z";

describe("callHoldsPhone of a merged call", () => {
  it("finds a number in a recording link that was replaced by another", () => {
    const deliveries = ["https://files.example/z", "https://files.example/13800010009"].map((recordUrl) =>
      deliveryOf(callEnded({ sessionId: "a", recordUrl }), "WEBHOOK", AT),
    );
    const [first, second] = deliveries;
    const row = first && reviseCall([], first);
    const revision = row && second && reviseCall([{ ...row, isIntact: true }], second);
    expect(JSON.parse(revision?.data ?? "{}")).toMatchObject({ recordUrl: "https://files.example/z" });
    expect(callHoldsPhone(revision?.data ?? "", (text) => text.includes("13800010009"))).toBe(true);
    expect(callHoldsPhone(revision?.data ?? "", (text) => text.includes("13800010008"))).toBe(false);
  });
});
