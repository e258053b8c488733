import { expect, it } from "vitest";
import { judgeUnmatchedValue } from "../../src/doctor/judgeFilters.ts";

it.each([
  [400, "refused"],
  [422, "refused"],
  [500, "unknown"],
])("A filter by a value that no row has, answered with %i, is judged as %s", (status, verdict) => {
  expect(judgeUnmatchedValue({ status, page: null }, [])).toBe(verdict);
});
