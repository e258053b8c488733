import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPhoneMatcher } from "../../src/privacy/phoneMatcher.ts";

/** Every number a text can be read as, found the slow way: all adjacent groups with short separators, joined. */
function readings(text: string): string[] {
  return Array.from(text.matchAll(/\+?\d+(?:[^\p{L}\d]{1,3}\d+)*/gu), ([run]) => {
    const groups = run.match(/\+?\d+/g) ?? [];
    return groups.flatMap((first, at) => {
      const behind = groups.slice(at + 1);
      const plus = behind.findIndex((group) => group.startsWith("+"));
      const rows = (plus < 0 ? behind : behind.slice(0, plus)).map((_, to) => groups.slice(at, at + 2 + to).join(""));
      return [first, ...rows.filter((row) => row.replace("+", "").length <= 20)];
    });
  }).flat();
}

const withoutZeros = (digits: string) => digits.replace(/^0+/, "");
const hasCode = (written: string) => /^(\+|00)/.test(written);
/** The digits without a country code of each possible length. */
const nationals = (digits: string) => [1, 2, 3].map((length) => withoutZeros(digits.slice(length)));

/** The definition in docs/security.md, word for word. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((written) => withoutZeros(written.replace("+", ""))) as [string, string];
  const isShorter = (short: string, long: string, written: [string, string]) =>
    !hasCode(written[0]) && short.length >= (hasCode(written[1]) ? 7 : 10) && nationals(long).includes(short);
  if (a === b || isShorter(a, b, [one, other]) || isShorter(b, a, [other, one])) return true;
  if (a.length >= 10 && b.includes(a)) return true;
  const trunk = (length: number) =>
    a.slice(0, length) === b.slice(0, length) && withoutZeros(a.slice(length)) === withoutZeros(b.slice(length));
  return hasCode(one) && hasCode(other) && [1, 2, 3].some(trunk);
}

describe("a phone matcher and groups of digits", () => {
  const digits = fc.stringMatching(/^(00|0)?[1-3]?[0-2]{0,12}$/);
  const between = fc.constantFrom("", " ", "-", " (0)", "+", " +", "   ", "    ", "a", "·", "\u{1f4de}", ") ");
  const texts = fc.array(fc.tuple(between, digits), { maxLength: 12 }).map((parts) => parts.flat().join(""));
  /** Without digits that are a day and a time, such as 200001100000. */
  const numbers = fc
    .stringMatching(/^(\+|00|0)?[1-3][0-2]{6,12}$/)
    .filter((number) => createPhoneMatcher(number) !== null);
  /** Texts similar to the number, because most random texts are not. */
  const written = (number: string) =>
    fc
      .tuple(fc.nat({ max: 4 }), fc.array(between, { minLength: 4, maxLength: 4 }), texts, texts)
      .map(([cut, gaps, before, behind]) => {
        const rest = number.replace("+", "").slice(cut);
        return `${before}${gaps[0]}${rest.slice(0, 3)}${gaps[1]}${rest.slice(3, 7)}${gaps[2]}${rest.slice(7)}${gaps[3]}${behind}`;
      });

  it("finds the number in exactly the texts in which a slow search finds it", () => {
    const cases = numbers.chain((number) => fc.tuple(fc.constant(number), fc.oneof(texts, written(number))));
    fc.assert(
      fc.property(cases, ([number, text]) => {
        // In a form a plus is a blank.
        const texts = [text, text.replaceAll(/(?<=\d)\+(?=\d)/g, " ")];
        const expected = texts.flatMap(readings).some((reading) => isSame(number, reading));
        expect(createPhoneMatcher(number)?.(`call ${text}`)).toBe(expected);
      }),
      { numRuns: 3000 },
    );
  });

  it.each(["1 ", "00 ", "+1 ", "001 ", "1-2 ", "1"])("takes linear time for %j repeated", (group) => {
    const text = group.repeat(50_000);
    for (const number of ["13900009999", "+8613900000001"]) expect(createPhoneMatcher(number)?.(text)).toBe(false);
  });
});
