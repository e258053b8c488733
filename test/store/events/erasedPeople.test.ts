import { describe, expect, it } from "vitest";
import { namesOfErased, namesToSeek } from "../../../src/store/events/erasedKeys.ts";
import { samePeople } from "../../corpus/samePeople.ts";

/** Whether a call of `other` stays out after `one` was erased. */
const keepsOut = (one: string, other: string) => {
  const names = new Set(namesOfErased(one));
  return namesToSeek(other).some((name) => names.has(name));
};

describe("The names of an erased number", () => {
  it.each(samePeople.filter(({ one, other }) => [one, other].every((text) => /^[+0-9]/.test(text))))(
    "$one keeps out $other, and the other way round",
    ({ one, other }) => {
      expect([keepsOut(one, other), keepsOut(other, one)]).toEqual([true, true]);
    },
  );

  it.each([
    ["+12025550101", "+442025550101"],
    ["+8613800010001", "+8613800010002"],
    ["+8613800010001", "A068"],
    ["A068", "A068"],
    ["", ""],
  ])("%s does not keep out %s", (one, other) => {
    expect(keepsOut(one, other)).toBe(false);
  });

  it("keep out a number with an extension", () => {
    expect(keepsOut("+1 202 555 0101", "+1 202 555 0101 ext. 5")).toBe(true);
  });
});
