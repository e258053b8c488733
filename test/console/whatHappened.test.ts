// The sentence that leads the details of a call: whole, and honest where a fact is missing.
import { describe, expect, it } from "vitest";
import { en } from "../../console/src/call/texts/en.ts";
import { zh } from "../../console/src/call/texts/zh.ts";
import { whatHappened, type HappenedCall } from "../../console/src/call/whatHappened.ts";
import { createFormat } from "../../console/src/locale/format.ts";
import { en as enTexts } from "../../console/src/texts/en.ts";
import { zh as zhTexts } from "../../console/src/texts/zh.ts";

const TOLD = { hangupReason: "busy", hangupSide: "CALLEE", hungUpBy: "CUSTOMER" } as const;
const UNTOLD = { hangupReason: null, hangupSide: null, hungUpBy: null };
const CALL: HappenedCall = {
  answered: true,
  direction: "OUTBOUND",
  startAt: "2026-03-02T12:00:00Z",
  answerAt: "2026-03-02T12:00:12Z",
  endAt: "2026-03-02T12:01:16Z",
  unread: [],
  event: TOLD,
};
const MISSED: HappenedCall = { ...CALL, answered: false, answerAt: null, endAt: "2026-03-02T12:00:12Z" };

function sentences(call: HappenedCall): [string, string] {
  return [
    whatHappened(call, en, { language: "en", format: createFormat("en", enTexts.format) }),
    whatHappened(call, zh, { language: "zh", format: createFormat("zh", zhTexts.format) }),
  ];
}

describe("The sentence that says what happened in a call", () => {
  it.each<[string, HappenedCall, string, string]>([
    ["an answered call", CALL, "Spoke for 1 m 4 s; the called person hung up.", "通话 1 分 4 秒；被叫客户挂断。"],
    [
      "an inbound call",
      { ...CALL, direction: "INBOUND" },
      "Spoke for 1 m 4 s; the caller hung up.",
      "通话 1 分 4 秒；来电客户挂断。",
    ],
    [
      "a call that the assistant ended",
      { ...CALL, event: { ...TOLD, hungUpBy: "ASSISTANT" } },
      "Spoke for 1 m 4 s; the assistant hung up.",
      "通话 1 分 4 秒；助手挂断。",
    ],
    [
      "a call of unknown direction",
      { ...CALL, direction: null, event: { ...TOLD, hungUpBy: null } },
      "Spoke for 1 m 4 s; the called end hung up.",
      "通话 1 分 4 秒；被叫方挂断。",
    ],
    [
      "an answered call without times, of which nobody knows who hung up",
      { ...CALL, answerAt: null, event: UNTOLD },
      "Answered, but how long they spoke is unknown; who hung up is unknown.",
      "已接通，通话时长未知；挂断方未知。",
    ],
    [
      "an answered call that only the service lists",
      { ...CALL, event: null },
      "Spoke for 1 m 4 s.",
      "通话 1 分 4 秒。",
    ],
    ["a busy number", MISSED, "Not answered: busy, after 12 s of ringing.", "未接通：busy，振铃 12 秒。"],
    [
      "a missed call without a reason",
      { ...MISSED, event: UNTOLD },
      "Not answered, after 12 s of ringing; the service gave no reason.",
      "未接通，振铃 12 秒；外呼服务未给出原因。",
    ],
    [
      "a missed call without a start",
      { ...MISSED, startAt: null },
      "Not answered: busy; how long it rang is unknown.",
      "未接通：busy；振铃时长未知。",
    ],
    [
      "a missed call that ended before it started",
      { ...MISSED, endAt: "2026-03-02T11:00:00Z" },
      "Not answered: busy; how long it rang is unknown.",
      "未接通：busy；振铃时长未知。",
    ],
    [
      "a call of which the answer is unknown",
      { ...MISSED, answered: null },
      "Whether it was answered is unknown; the service says: busy; the called person hung up.",
      "无法确定是否接通；外呼服务给出的原因：busy；被叫客户挂断。",
    ],
    ["a call that goes on", { ...MISSED, event: null, endAt: null }, "The call is not over.", "通话尚未结束。"],
    [
      "a listed call whose end could not be read",
      { ...MISSED, event: null, endAt: null, unread: [{ field: "endAt", text: "soon" }] },
      "Not answered; how long it rang is unknown.",
      "未接通；振铃时长未知。",
    ],
  ])("tells of %s in both languages", (_, call, english, chinese) => {
    expect(sentences(call)).toEqual([english, chinese]);
  });
});
