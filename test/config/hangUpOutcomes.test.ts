import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { outcomeOfReason, reasonKey } from "../../src/config/hangUpOutcomes.ts";
import { problems } from "./environment.ts";

describe("outcomeOfReason()", () => {
  it.each([
    [
      "NO_ANSWER",
      ["NO_ANSWER", "no answer", "No-Answer", "ORIGINATOR_CANCEL", "无人接听", "480", "SIP 408", "Q.850;cause=19"],
    ],
    ["BUSY", ["busy", "USER_BUSY", "user busy", "占线", "486 Busy here", "SIP/2.0 600", "17"]],
    ["REJECTED", ["rejected", "CALL_REJECTED", "Declined", "拒接", "603 Decline"]],
    ["FAILED", ["failed", "UNALLOCATED_NUMBER", "空号", "关机", "503", "Ｆａｉｌｅｄ"]],
    ["OTHER", ["normal", "NORMAL_CLEARING", "16", "4861", "busybody", "", "?"]],
  ])("reads as %s what telephone systems write", (outcome, reasons) => {
    expect(reasons.map((reason) => outcomeOfReason(reason, []))).toEqual(reasons.map(() => outcome));
  });

  it("prefers the entry of an operator, in any writing of the reason", () => {
    const own = [
      { reason: reasonKey("Line dead"), outcome: "FAILED" },
      { reason: reasonKey("busy"), outcome: "REJECTED" },
    ] as const;
    expect(["LINE_DEAD", "line-dead", "Busy", "no answer"].map((reason) => outcomeOfReason(reason, own))).toEqual([
      "FAILED",
      "FAILED",
      "REJECTED",
      "NO_ANSWER",
    ]);
    expect(outcomeOfReason(null, own)).toBe("OTHER");
  });
});

describe("HANGUP_OUTCOMES", () => {
  it("names reasons in any writing; a reason may have =", () => {
    const { named } = readConfig({ HANGUP_OUTCOMES: " Line-dead = FAILED ,a=b=BUSY" });
    expect(named.hangUps).toEqual([
      { reason: "LINE DEAD", outcome: "FAILED" },
      { reason: "A B", outcome: "BUSY" },
    ]);
  });

  it.each(["canary", "canary=", "=BUSY", "?=BUSY", "canary=REACHED", "canary=busy", "can ary=BUSY,CAN-ARY=FAILED"])(
    "refuses %j without repeating it",
    (value) => {
      const [problem = "", ...others] = problems({ HANGUP_OUTCOMES: value });
      expect([problem.startsWith("HANGUP_OUTCOMES "), others]).toEqual([true, []]);
      expect(problem).not.toMatch(/canary/i);
    },
  );
});
