import { expect, it } from "vitest";
import { formatOffset } from "../../src/doctor/findOffset.ts";

const MINUTE_MS = 60_000;

it.each([
  [0, "+00:00"],
  [480, "+08:00"],
  [345, "+05:45"],
  [-1, "-00:01"],
  [-210, "-03:30"],
])("formatOffset writes an offset of %i minutes as %s", (minutes, text) => {
  expect(formatOffset(minutes * MINUTE_MS)).toBe(text);
});
