import { expect, it } from "vitest";
import { taskSummary } from "../../sandbox/src/world/fakeData.ts";

it.each(["zh", "jp", "en"] as const)("The sandbox's summary of a task of an assistant that speaks %s", (language) => {
  const { summary, suggestion } = taskSummary(language, 49.9);
  expect(summary).toContain("49%");
  for (const text of [summary, suggestion]) expect(/\p{Script=Han}/u.test(text)).toBe(language !== "en");
  expect(taskSummary(language, 50).suggestion).not.toBe(suggestion);
});
