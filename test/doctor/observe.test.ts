import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { observePage, observeTask, observeTime } from "../../src/doctor/observe.ts";

describe("observeTime", () => {
  const NOON = Date.UTC(2026, 10, 20, 12);
  it.each([
    ["2026-11-20 12:00:00", "wall", NOON],
    ["2026-11-20T12:00:00.000", "wall", NOON],
    ["2026-11-20T12:00:00Z", "rfc3339", NOON],
    ["2026-11-20T20:00:00+08:00", "rfc3339", NOON],
    [NOON / 1000, "epochSeconds", NOON],
    [String(NOON), "epochMilliseconds", NOON],
    ["2026-11-20 20:00:00+0800", "rfc3339", NOON],
    ["2026-11-20t12:00:00z", "rfc3339", NOON],
    [`${NOON / 1000}.000`, "epochSeconds", NOON],
    ["1985-11-20 12:00:00", "unknown", null],
    ["0001-01-01T00:00:00Z", "zero", null],
    ["1970-01-01 08:00:00", "zero", null],
    ["-", "zero", null],
    [0, "zero", null],
    ["", "empty", null],
    [null, "null", null],
    [undefined, "absent", null],
    ["20261120", "unknown", null],
    ["2026-13-40 12:00:00", "unknown", null],
  ])("reads %j as %s", (value, form, ms) => expect(observeTime(value)).toMatchObject({ form, ms }));

  it("keeps the written offset, but not Z", () => {
    expect(observeTime("2026-11-20T20:00:00-03:30").writtenOffset).toBe(-3.5 * 3_600_000);
    expect(observeTime("2026-11-20T20:00:00Z").writtenOffset).toBeNull();
  });
});

describe("observePage", () => {
  const page = { items: [{ sessionId: "s", caller: "13800001111", callee: "13900002222", assistant: null }], total: 1 };

  it("drops phone numbers and keeps ids beyond 2^53 exact", () => {
    const text = JSON.stringify({ ...page, pageSize: 1 }).replace('"assistant":null', '"taskId":9007199254740993123');
    const observed = observePage(text, null);
    expect(JSON.stringify(observed)).not.toMatch(/13800001111|13900002222/);
    expect(observed?.rows[0]).toMatchObject({ taskId: "9007199254740993123", assistantIds: [] });
  });

  it("returns null for a text that is not a page, as observeTask does for one that is not a task", () => {
    for (const text of ["", "null", "[]", "<html>", '{"code":1,"msg":"x"}', '{"items":[1],"total":1}']) {
      expect(observePage(text, null), text).toBeNull();
    }
    expect(observeTask("null", "1")).toBeNull();
  });

  it("returns every row or null for any JSON", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.nat(), (items, total) => {
        const page = observePage(JSON.stringify({ items, total }), null);
        expect(page === null || page.rows.length === items.length).toBe(true);
      }),
    );
  });
});
