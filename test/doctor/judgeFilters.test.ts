import { expect, it } from "vitest";
import { judgeFilter, judgeUnmatchedValue } from "../../src/doctor/judgeFilters.ts";

it.each([
  [400, "refused"],
  [422, "refused"],
  [500, "unknown"],
])("A filter that the service answers with %i is judged as %s", (status, verdict) => {
  const result = { status, page: null };
  expect(judgeUnmatchedValue(result, [])).toBe(verdict);
  expect(judgeFilter(result, { all: [], matches: () => true })).toBe(verdict);
});
