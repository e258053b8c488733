import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seePage, seeTask } from "../../src/doctor/observed.ts";
import { seeTime } from "../../src/doctor/timeForm.ts";

describe("a time is known by its form", () => {
  const NOON = Date.UTC(2026, 10, 20, 12);
  it.each([
    ["2026-11-20 12:00:00", "wall", NOON],
    ["2026-11-20T12:00:00.000", "wall", NOON],
    ["2026-11-20T12:00:00Z", "rfc3339", NOON],
    ["2026-11-20T20:00:00+08:00", "rfc3339", NOON],
    [NOON / 1000, "epochSeconds", NOON],
    [String(NOON), "epochMilliseconds", NOON],
    ["0001-01-01T00:00:00Z", "zero", null],
    ["", "empty", null],
    [null, "null", null],
    [undefined, "absent", null],
    ["20261120", "unknown", null],
    ["2026-13-40 12:00:00", "unknown", null],
  ])("%j", (value, form, ms) => expect(seeTime(value)).toMatchObject({ form, ms }));

  it("with the offset it shows, of which Z is none", () => {
    expect(seeTime("2026-11-20T20:00:00-03:30").shownOffset).toBe(-3.5 * 3_600_000);
    expect(seeTime("2026-11-20T20:00:00Z").shownOffset).toBeNull();
  });
});

describe("an answer is seen without those who were called", () => {
  const page = { items: [{ sessionId: "s", caller: "13800001111", callee: "13900002222", assistant: null }], total: 1 };

  it("and with ids beyond 2^53 to the digit", () => {
    const text = JSON.stringify({ ...page, pageSize: 1 }).replace('"assistant":null', '"taskId":9007199254740993123');
    const seen = seePage(text, null);
    expect(JSON.stringify(seen)).not.toMatch(/13800001111|13900002222/);
    expect(seen?.rows[0]).toMatchObject({ taskId: "9007199254740993123", assistantIds: [] });
  });

  it("and not at all where it is no page, or no task", () => {
    for (const text of ["", "null", "[]", "<html>", '{"code":1,"msg":"x"}', '{"items":[1],"total":1}']) {
      expect(seePage(text, null), text).toBeNull();
    }
    expect(seeTask("null", "1")).toBeNull();
  });

  it("whatever comes", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.nat(), (items, total) => {
        const seen = seePage(JSON.stringify({ items, total }), null);
        expect(seen === null || seen.rows.length === items.length).toBe(true);
      }),
    );
  });
});
