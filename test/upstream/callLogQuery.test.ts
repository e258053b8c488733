import { describe, expect, it } from "vitest";
import { callLogQueryString } from "../../src/upstream/callLogQuery.ts";
import { callLogQuery } from "./service.ts";

const shanghai = { timeZone: "Asia/Shanghai", assistantIds: "comma" } as const;
const RANGE = "startTime=2026-11-20%2000%3A00%3A00&endTime=2026-11-20%2023%3A59%3A59";

describe("callLogQueryString", () => {
  it("writes both ends of the range in the service's wall clock, and no empty filter", () => {
    expect(callLogQueryString(callLogQuery(), shanghai)).toBe(`${RANGE}&pageIndex=1&pageSize=10`);
    expect(callLogQueryString(callLogQuery({ phone: "" }), shanghai)).not.toContain("phone");
  });

  it("writes every filter, with literal commas between ids and an encoded plus", () => {
    const query = callLogQuery({
      taskIds: ["1", "9007199254740993123"],
      direction: "inbound",
      phone: "+86 139",
      assistantIds: ["4"],
      kind: "privateTest",
      pageIndex: 3,
      pageSize: 100,
    });
    expect(callLogQueryString(query, shanghai)).toBe(
      `taskId=1,9007199254740993123&${RANGE}&direction=inbound&phone=%2B86%20139&pageIndex=3&pageSize=100` +
        "&assistantIds=4&description=privateTest",
    );
  });

  it.each([
    ["comma", "assistantIds=4,5"],
    ["repeat", "assistantIds=4&assistantIds=5"],
    ["brackets", "assistantIds%5B%5D=4&assistantIds%5B%5D=5"],
  ] as const)("with assistantIds in the style %s", (assistantIds, written) => {
    const text = callLogQueryString(callLogQuery({ assistantIds: ["4", "5"] }), { ...shanghai, assistantIds });
    expect(text).toBe(`${RANGE}&pageIndex=1&pageSize=10&${written}`);
  });

  it("writes each id once", () => {
    const text = callLogQueryString(callLogQuery({ taskIds: ["2", "1", "2"], assistantIds: ["4", "4"] }), shanghai);
    expect(text).toContain("taskId=2,1&");
    expect(text).toContain("assistantIds=4");
    expect(text).not.toContain("4,4");
  });
});

describe("callLogQueryString beyond the service's limits", () => {
  const ids = Array.from({ length: 11 }, (_, at) => String(at + 1));

  it("rejects more than 10 distinct tasks", () => {
    expect(() => callLogQueryString(callLogQuery({ taskIds: ids }), shanghai)).toThrow(RangeError);
    expect(() => callLogQueryString(callLogQuery({ taskIds: [...ids.slice(1), "2"] }), shanghai)).not.toThrow();
  });

  it.each(["0", "", "1,2", "1&x=1", "-1", "1.5", "x", "01"])("rejects the id %j", (id) => {
    expect(() => callLogQueryString(callLogQuery({ taskIds: [id] }), shanghai)).toThrow(TypeError);
    expect(() => callLogQueryString(callLogQuery({ assistantIds: [id] }), shanghai)).toThrow(TypeError);
  });

  it.each([
    { pageIndex: 0 },
    { pageIndex: 1.5 },
    { pageIndex: -1 },
    { pageSize: 0 },
    { pageSize: 101 },
    { pageSize: Number.NaN },
  ])("rejects the page %j", (page) => {
    expect(() => callLogQueryString(callLogQuery(page), shanghai)).toThrow(RangeError);
  });
});
