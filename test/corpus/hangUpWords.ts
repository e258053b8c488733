// What programs write for the side and the reason of a hang-up, and for an end, while a call goes on and when it has ended. Each with the
// address at which it was met, or "own".
import type { EventSample } from "./webhookEvents.ts";

const START = "2026-11-20 17:00:00";
const UM_EVENT_CAUSE =
  "https://learn.microsoft.com/openspecs/exchange_server_protocols/ms-oxwums/aa2f61a0-ef33-451b-a5f4-fd29a644dc19";

export const hangUps: readonly EventSample[] = [
  // What stands for no side, reason or end while a call goes on, with the counters of one.
  ...[
    "none",
    "unknown",
    "-",
    "null",
    0,
    "0",
    false,
    {},
    [],
    "HANGUP_SIDE_UNSPECIFIED",
    " ",
    "N/A",
    "SIDE_UNKNOWN",
    "RELEASING_PARTY_UNSPECIFIED",
    "%SIDE_UNKNOWN",
    "???",
    "-1",
    // Behind letters of other scripts and marks, with invisible characters, and in full-width letters.
    "éHANGUP_SIDE_UNSPECIFIED",
    "ÉTAT_UNKNOWN",
    "сторона_UNKNOWN",
    "挂断方_UNKNOWN",
    "HANGUP_SI\u0301DE_UNSPECIFIED",
    "UN\u200bKNOWN",
    "\ufeffunknown",
    "HANGUP_SIDE_\u00adUNSPECIFIED",
    "ＵＮＫＮＯＷＮ",
    "ＳＩＤＥ＿ＵＮＳＰＥＣＩＦＩＥＤ",
    "ｎｏｎｅ",
    "İN_PROGRESS",
    "未\u200b知",
    "不明",
    "無",
    "没有",
    "未设置",
    "未知原因",
    "通话未结束",
    "なし",
    "없음",
    "Call in progress",
    "in-call",
    "not hung up",
    "Unknown cause",
    "N.A.",
    "NaN",
    "UNKNOWN (0)",
    "Optional.empty",
  ].map((side) => ({
    name: `in call, side ${JSON.stringify(side)}`,
    data: { start_at: START, hangup_side: side, duration: 0 },
    isEnd: false,
    source: "own",
  })),
  ...["unknown", "UNSPECIFIED", "in progress", "IN_PROGRESS", false, 0, {}, [], "无", "未结束"].map((reason) => ({
    name: `in call, reason ${JSON.stringify(reason)}`,
    data: { start_at: START, hangup_reason: reason, duration: 0 },
    isEnd: false,
    source: "own",
  })),
  ...[
    "pending",
    "(null)",
    "\\N",
    "未结束",
    false,
    {},
    [],
    1,
    28_800,
    "19700101080000",
    "1/1/1900",
    "00:00:00",
    "2099-12-31 00:00:00",
  ].map((end) => ({
    name: `in call, end ${JSON.stringify(end)}`,
    data: { start_at: START, end_at: end, duration: 15 },
    isEnd: false,
    source: "own",
  })),
  // Names of enums as languages print them.
  ...(
    [
      ["HangupSide.UNKNOWN", "https://docs.python.org/3/library/enum.html"],
      ["<HangupSide.UNKNOWN: 0>", "https://docs.python.org/3/library/enum.html"],
      ["HangupSide::Unknown", "https://doc.rust-lang.org/std/fmt/trait.Debug.html"],
      ["HANGUP_SIDE_NONE", "https://github.com/danielgtaylor/python-betterproto/issues/174"],
      ["HangupSideUnspecified", "https://github.com/protocolbuffers/protobuf/pull/1330"],
      ["ReasonNotSet", "own"],
      ["UNKNOWN_REASON", "https://github.com/livekit/protocol/blob/main/protobufs/livekit_models.proto"],
      ["None", UM_EVENT_CAUSE],
      ["<unknown>", "https://pastebin.com/nK0kLEZf"],
    ] as const
  ).map(([reason, source]) => ({
    name: `in call, reason ${reason}`,
    data: { start_at: START, hangup_reason: reason, duration: 0 },
    isEnd: false,
    source,
  })),
  ...(
    [
      ["NoAnswer", UM_EVENT_CAUSE],
      ["Unavailable", UM_EVENT_CAUSE],
      ["USER_NOT_AVAILABLE", "own"],
      ["CONNECTION_MANAGER_NOT_SUPPORTED", "https://developer.android.com/reference/android/telecom/DisconnectCause"],
      ["RequestedServiceNotAvailable", "https://www.etsi.org/deliver/etsi_en/300300_300399/30039202/"],
    ] as const
  ).map(([reason, source]) => ({
    name: `ended for ${reason}`,
    data: { start_at: START, hangup_reason: reason, duration: 0 },
    isEnd: true,
    source,
  })),
  // Sides and reasons that are no words of the service, and a clock far ahead.
  ...["system", "agent", "both", "1", "unknown caller"].map((side) => ({
    name: `ended by ${side}`,
    data: { start_at: START, hangup_side: side, duration: 3 },
    isEnd: true,
    source: "own",
  })),
  ...[
    "USER_BUSY",
    "no answer",
    "customer unknown",
    "正常结束",
    "486",
    "未接听",
    "无人接听",
    "不明来电",
    "通话结束",
    "BUSY (486)",
    "call rejected",
  ].map((reason) => ({
    name: `ended for ${reason}`,
    data: { start_at: START, hangup_reason: reason, duration: 0 },
    isEnd: true,
    source: "own",
  })),
  {
    name: "of a clock in 2045",
    data: { start_at: "2045-03-04 05:06:07", end_at: "2045-03-04 05:07:07", hangup_side: "caller", duration: 60 },
    isEnd: true,
    source: "own",
  },
];
