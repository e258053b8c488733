import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createParseCallEnded } from "../../src/webhook/parse.ts";
import { body, bodyWith, eventData } from "./delivery.ts";

const ZONE = "Asia/Shanghai";
const parseCallEnded = createParseCallEnded(ZONE);

function call(bytes: Uint8Array) {
  const parsed = parseCallEnded(bytes);
  if ("unreadable" in parsed) throw new Error(parsed.unreadable);
  return parsed.call;
}

function reason(bytes: Uint8Array): string | null {
  const parsed = parseCallEnded(bytes);
  return "unreadable" in parsed ? parsed.unreadable : null;
}

describe("createParseCallEnded()", () => {
  it("reads every documented field", () => {
    expect(call(body())).toEqual({
      sessionId: "s-1",
      eventName: "call_ended",
      direction: "outbound",
      caller: "A068",
      callee: "13800010001",
      startAt: "2026-11-20T09:00:00.000Z",
      answerAt: "2026-11-20T09:00:10.000Z",
      endAt: "2026-11-20T09:01:00.000Z",
      duration: 60,
      billsec: 50,
      ringTime: 10,
      hangupSide: "callee",
      hangupReason: "normal clearing",
      recordUrl: "https://files.example/r/1.mp3?sign=x",
      taskId: "7",
      taskItemId: "70",
      assistants: [{ assistantId: "1", versionId: "2" }],
      extra: { 姓名: "张三" },
      unread: [],
    });
  });

  it("accepts any event_name, and drops unknown fields", () => {
    const bytes = body({ websocket_token: "canary" }, { event_name: "call.ended.v2", token: "canary" });
    expect(call(bytes)).toEqual({ ...call(body()), eventName: "call.ended.v2" });
    expect(call(body({}, { event_name: undefined })).eventName).toBeNull();
    expect(JSON.stringify(call(bytes))).not.toContain("canary");
  });

  it("accepts an event that has only a session ID", () => {
    const bytes = Buffer.from('{"event_data":{"session_id":"s-1"}}');
    const { sessionId, assistants, unread, ...rest } = call(bytes);
    expect([sessionId, assistants, unread]).toEqual(["s-1", [], []]);
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
  });
});

describe("An empty value of a webhook", () => {
  const zeros = [
    '"0001-01-01T00:00:00Z"',
    '"1970-01-01 08:00:00"',
    '"1899-12-30"',
    '"1900-01-01 00:00:00"',
    "-1",
    '"-"',
  ];
  const nothings = ["null", '""', "0", ...zeros];

  it.each(nothings)("becomes null without a note as the time %s", (json) => {
    for (const field of ["start_at", "answer_at", "end_at"] as const) {
      const { startAt, answerAt, endAt, unread } = call(bodyWith(field, json));
      expect([startAt, answerAt, endAt]).toContain(null);
      expect(unread).toEqual([]);
    }
  });

  it.each(["0", '"0"', "null", '""'])("becomes null without a note as the task ID %s of an inbound call", (json) => {
    expect(call(bodyWith("task_id", json))).toMatchObject({ taskId: null, unread: [] });
    expect(call(bodyWith("task_item_id", json))).toMatchObject({ taskItemId: null, unread: [] });
  });

  it("becomes null without a note in lists, variables, links, sides and durations", () => {
    expect(call(bodyWith("assistant_infos", "null"))).toMatchObject({ assistants: [], unread: [] });
    for (const json of ["null", '""']) {
      expect(call(bodyWith("extra", json))).toMatchObject({ extra: null, unread: [] });
      expect(call(bodyWith("record_url", json))).toMatchObject({ recordUrl: null, unread: [] });
      expect(call(bodyWith("hangup_side", json))).toMatchObject({ hangupSide: null, unread: [] });
      expect(call(bodyWith("duration", json))).toMatchObject({ duration: null, unread: [] });
    }
  });

  it("is not a duration of 0", () => {
    expect(call(bodyWith("billsec", "0")).billsec).toBe(0);
  });
});

describe("An unreadable value of a webhook", () => {
  it.each([
    ["hangup_side", '"system"', "hangupSide", "system"],
    ["direction", '"internal"', "direction", "internal"],
    ["direction", '"toString"', "direction", "toString"],
    ["start_at", '"noon"', "startAt", "noon"],
    ["answer_at", '"2026-02-30 10:00:00"', "answerAt", "2026-02-30 10:00:00"],
    ["duration", '"a minute"', "duration", "a minute"],
    ["ring_time", "[1]", "ringTime", "<list>"],
    ["task_id", "1.5", "taskId", "1.5"],
    ["task_item_id", "-7", "taskItemId", "-7"],
    ["callee", '{"number":"13800010001"}', "callee", "<object>"],
    ["extra", '"13800010001"', "extra", "<hidden>"],
    ["extra", '["13800010001"]', "extra", "<hidden>"],
    ["assistant_infos", '"13800010001"', "assistants", "***01"],
  ] as const)("becomes null with a note, and costs no other field: %s %s", (field, json, name, text) => {
    const { unread, ...read } = call(bodyWith(field, json));
    expect(unread).toEqual([{ field: name, text }]);
    const nothing = name === "assistants" ? [] : null;
    expect({ ...read, unread: [] }).toEqual({ ...call(body()), [name]: nothing });
  });

  it("is noted for a single assistant of a list", () => {
    const infos = [
      { assistant_id: 1, assistant_vid: 2 },
      null,
      { assistant_id: 3 },
      { assistant_id: "4", assistant_vid: 5 },
    ];
    expect(call(body({ assistant_infos: infos }))).toMatchObject({
      assistants: [
        { assistantId: "1", versionId: "2" },
        { assistantId: "4", versionId: "5" },
      ],
      unread: [
        { field: "assistants[1]", text: "<object>" },
        { field: "assistants[2]", text: "<object>" },
      ],
    });
  });
});

describe("IDs of a webhook", () => {
  const BIG = "9007199254740993123";

  it("keep every digit as numbers and as strings", () => {
    for (const json of [BIG, `"${BIG}"`]) {
      expect(call(bodyWith("task_id", json)).taskId).toBe(BIG);
      expect(call(bodyWith("task_item_id", json)).taskItemId).toBe(BIG);
      expect(call(bodyWith("session_id", json)).sessionId).toBe(BIG);
      const infos = `[{"assistant_id":${json},"assistant_vid":${json}}]`;
      expect(call(bodyWith("assistant_infos", infos)).assistants).toEqual([{ assistantId: BIG, versionId: BIG }]);
    }
  });
});

describe("Keys of extra", () => {
  it("do not change a prototype", () => {
    const extra = '{"__proto__":{"polluted":1},"constructor":"x","toString":null,"号":[1,{"a":true}],"":""}';
    const read = call(bodyWith("extra", extra)).extra;
    expect(JSON.stringify(read)).toBe(extra);
    expect(Object.keys(read ?? {})).toEqual(["__proto__", "constructor", "toString", "号", ""]);
    expect({}).not.toHaveProperty("polluted");
  });

  it.each(["1e400", "[{},[-1e400]]", '{"c":{"d":1e309}}'])(
    "are noted without their text if their value is %s",
    (json) => {
      const { extra, unread } = call(bodyWith("extra", `{"姓名":"张三","b":${json}}`));
      expect(extra).toMatchObject({ 姓名: "张三" });
      expect(unread).toEqual([{ field: "extra", text: "<hidden>" }]);
    },
  );

  it("are not noted if their number fits JSON", () => {
    const extra = '{"a":1.7976931348623157e308,"b":[-0.5,9007199254740993]}';
    expect(call(bodyWith("extra", extra)).unread).toEqual([]);
  });

  it("are harmless outside extra too", () => {
    const bytes = Buffer.from(
      '{"__proto__":1,"event_data":{"session_id":"s-1","__proto__":{"callee":"x"},"constructor":"y"}}',
    );
    expect(call(bytes)).toMatchObject({ sessionId: "s-1", callee: null });
  });
});

describe("createParseCallEnded() of an unreadable delivery", () => {
  it.each([
    ["", "The body is not JSON."],
    ["canary", "The body is not JSON."],
    ['{"event_data":{"session_id":"canary"}', "The body is not JSON."],
    ["null", "The body is not an object with event_data."],
    ["[]", "The body is not an object with event_data."],
    ['"canary"', "The body is not an object with event_data."],
    ["{}", "The body is not an object with event_data."],
    ['{"event_data":null}', "The body is not an object with event_data."],
    ['{"event_data":["canary"]}', "The body is not an object with event_data."],
    ['{"event_data":"canary"}', "The body is not an object with event_data."],
    ['{"event_data":{}}', "event_data has no session_id."],
    ['{"session_id":"canary","event_data":{"callee":"canary"}}', "event_data has no session_id."],
  ])("throws without quoting the body %s", (text, expected) => {
    expect(reason(Buffer.from(text))).toBe(expected);
  });

  it.each(["null", '""', '"  "', "0", "-1", "1.5", "1e300", "true", "false", "[]", '["s"]', '{"id":"s"}', '"\\ud800"'])(
    "throws for the session ID %s",
    (json) => {
      expect(reason(bodyWith("session_id", json))).toBe("event_data has no session_id.");
    },
  );

  it("throws for bytes that are not UTF-8", () => {
    const bytes = body({ hangup_reason: "@" });
    bytes[bytes.indexOf("@")] = 0xff;
    expect(reason(bytes)).toBe("The body is not JSON.");
  });

  it("is not one with a byte order mark, white space or another order of fields", () => {
    expect(call(Buffer.from(`\ufeff ${body().toString()}\r\n`))).toEqual(call(body()));
    const reversed = Object.fromEntries(Object.entries(eventData).toReversed());
    expect(call(Buffer.from(JSON.stringify({ event_data: reversed, event_name: "call_ended" })))).toEqual(call(body()));
  });

  it("throws only its own error for random bytes", () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.constantFrom(...(Object.keys(eventData) as (keyof typeof eventData)[])),
        (json, field) => {
          parseCallEnded(Buffer.from(json));
          const parsed = parseCallEnded(bodyWith(field, json));
          if (field !== "session_id") expect(parsed).toHaveProperty("call.sessionId", "s-1");
        },
      ),
    );
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(parseCallEnded(bytes)).toHaveProperty("unreadable");
      }),
    );
    const deep = "[".repeat(120_000) + "9007199254740993123" + "]".repeat(120_000);
    expect(reason(Buffer.from(deep))).not.toBeNull();
  });
});
