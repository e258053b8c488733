import { describe, expect, it } from "vitest";
import { deliveryOf, reviseCall } from "../../src/events/reviseCall.ts";
import { callHoldsPhone, textsOfBody } from "../../src/privacy/erasePhone.ts";
import { createPhoneMatcher } from "../../src/privacy/phoneMatcher.ts";
import { callEnded } from "../events/callEnded.ts";
import { encodeText } from "../support/encodeText.ts";

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

describe("callHoldsPhone", () => {
  const is = createPhoneMatcher("13800010001") as (text: string) => boolean;
  it.each([
    ["as its caller", { caller: "+8613800010001" }],
    ["as its callee", { callee: "13800010001" }],
    ["in a variable", { extra: { note: "or 138 0001 0001" } }],
    ["as a number", { extra: { other: 13800010001 } }],
    ["deep in a variable", { extra: { a: [{ b: ["+86 13800010001"] }] } }],
    ["as a variable's name", { extra: { "13800010001": true } }],
    ["in the address of its recording", { recordUrl: "https://files.example/13800010001.wav" }],
    ["in its session id", { sessionId: "20261120-13800010001-7" }],
  ])("callHoldsPhone finds a number %s", (_, own) => expect(callHoldsPhone(JSON.stringify(own), is)).toBe(true));

  it("ignores ids, times and durations", () => {
    const call = { taskId: "13800010001", taskItemId: "13800010001", duration: 13800010001, caller: "A068" };
    expect(callHoldsPhone(JSON.stringify(call), is)).toBe(false);
  });

  it("callHoldsPhone finds a number anywhere in an entry that cannot be parsed", () => {
    expect(callHoldsPhone(`{"caller":"13800010001`, is)).toBe(true);
    expect(callHoldsPhone(`{"caller":"138`, is)).toBe(false);
  });
});

describe("textsOfBody", () => {
  const is = createPhoneMatcher("13800010001") as (text: string) => boolean;
  it.each(["utf-8", "gbk", "utf-16le", "utf-16be", "latin1"] as const)("finds a number in a body in %s", (charset) => {
    for (const number of charset === "latin1" ? ["13800010001"] : ["13800010001", "张138 0001 0001"])
      expect(textsOfBody(encodeText(`{"callee":"${number}"}`, charset)).some(is)).toBe(true);
    expect(textsOfBody(encodeText('{"callee":"13800010002"}', charset)).some(is)).toBe(false);
  });

  it("finds full-width digits in GBK", () => {
    expect(textsOfBody(encodeText("１３８０００１０００１", "gbk")).some(is)).toBe(true);
  });
});
