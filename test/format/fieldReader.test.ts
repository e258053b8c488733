import { describe, expect, it } from "vitest";
import { readExactId } from "../../src/format/fieldParsers.ts";
import { createFieldReader } from "../../src/format/fieldReader.ts";

describe("An id of the service", () => {
  it.each([
    [7, "7"],
    ["7", "7"],
    [0, "0"],
    ["9007199254740993123", "9007199254740993123"],
  ])("%j is read as %s", (value, id) => {
    expect(readExactId(value)).toBe(id);
  });

  it.each([1.5, -1, 2 ** 53, "1.0", "-1", "01", "x", "", null, undefined, true, {}])("%j is refused", (value) => {
    expect(readExactId(value)).toBeUndefined();
  });

  it.each([0, "0", "", null, undefined])("%j is read as no id", (value) => {
    const reader = createFieldReader("UTC");
    expect(reader.id("taskId", value)).toBeNull();
    expect(reader.takeUnread()).toEqual([]);
  });
});

describe("The field reader", () => {
  const reader = () => createFieldReader("UTC", "part.");

  it("reads a field in any form with the same meaning", () => {
    const read = reader();
    expect([read.number("n", 33.3), read.number("n", "33.3"), read.number("n", "-2")]).toEqual([33.3, 33.3, -2]);
    expect([read.count("n", 3), read.count("n", "3"), read.count("n", -(2 ** 31 - 1))]).toEqual([3, 3, -2147483647]);
    expect([read.text("t", "A068"), read.text("t", 68), read.text("t", true)]).toEqual(["A068", "68", "true"]);
    expect([read.flag("f", true), read.flag("f", false)]).toEqual([true, false]);
    expect(read.oneOf("o", "in", ["in", "out"])).toBe("in");
    expect(read.time("t", "2026-11-20 09:30:00")).toBe("2026-11-20T09:30:00.000Z");
    expect(read.takeUnread()).toEqual([]);
  });

  it("reads an empty field as null without noting it", () => {
    const read = reader();
    for (const nothing of [null, undefined, ""]) {
      const values = [read.number("n", nothing), read.count("n", nothing), read.text("t", nothing)];
      const others = [read.flag("f", nothing), read.oneOf("o", nothing, ["in"]), read.time("t", nothing)];
      expect([...values, ...others]).toEqual([null, null, null, null, null, null]);
    }
    expect([read.prose("p", ""), read.prose("p", null)]).toEqual(["", null]);
    expect(read.takeUnread()).toEqual([]);
  });

  it("reads an unreadable field as null and notes it", () => {
    const read = reader();
    expect(read.number("number", "many")).toBeNull();
    expect(read.number("big", "9007199254740993")).toBeNull();
    expect(read.number("endless", Infinity)).toBeNull();
    expect(read.count("fraction", 1.5)).toBeNull();
    expect(read.count("large", 2 ** 31)).toBeNull();
    expect(read.text("text", ["a"])).toBeNull();
    expect(read.flag("flag", "yes")).toBeNull();
    expect(read.oneOf("status", "paused", ["done"])).toBeNull();
    expect(read.oneOf("inherited", "toString", ["done"])).toBeNull();
    expect(read.id("id", 1.5)).toBeNull();
    expect(read.time("time", "noon")).toBeNull();
    expect(read.takeUnread()).toEqual([
      { field: "part.number", text: "many" },
      { field: "part.big", text: "***93" },
      { field: "part.endless", text: "Infinity" },
      { field: "part.fraction", text: "1.5" },
      { field: "part.large", text: "***48" },
      { field: "part.text", text: "<list>" },
      { field: "part.flag", text: "yes" },
      { field: "part.status", text: "paused" },
      { field: "part.inherited", text: "toString" },
      { field: "part.id", text: "1.5" },
      { field: "part.time", text: "noon" },
    ]);
  });

  it("notes a field that may hold a secret without its text", () => {
    const read = reader();
    expect(read.markUnread("websocketUrl", "token=hidden", "secret")).toBeNull();
    expect(read.takeUnread()).toEqual([{ field: "part.websocketUrl", text: "<hidden>" }]);
  });
});
