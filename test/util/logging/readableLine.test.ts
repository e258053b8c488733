import { expect, it } from "vitest";
import { readableLine } from "../../../src/util/logging/readableLine.ts";

const time = new Date(2026, 10, 20, 9, 5, 7, 30).toISOString();
const line = (fields: object) => `${JSON.stringify({ level: "warn", time, ...fields })}\n`;

it("A line for a terminal has the time of day, the level, the message and the fields", () => {
  expect(readableLine(line({ url: "http://a", count: 2, msg: "it listens" }))).toBe(
    '09:05:07.030 WARN  it listens  url="http://a"  count=2\n',
  );
});

it("A line for a terminal shows an error's stack below, without control characters of its texts", () => {
  const stack = "Error: \u001b[2Jgone\r\n    at a.ts:1";
  expect(readableLine(line({ msg: "it failed", err: { message: "gone", stack } }))).toBe(
    ["09:05:07.030 WARN  it failed", "    Error: \\u001b[2Jgone\\r", "        at a.ts:1", ""].join("\n"),
  );
});

it("A line for a terminal stays as it is if it is not JSON", () => {
  expect(readableLine("plain\n")).toBe("plain\n");
});
