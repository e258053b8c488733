import { assert, constantFrom, nat, property, record, stringMatching } from "fast-check";
import { describe, expect, it } from "vitest";
import { createPhoneMatcher } from "../../src/privacy/phoneMatcher.ts";
import { searchedPhoneKeys, storedPhoneKey } from "../../src/format/phoneKeys.ts";

const CODES = ["1", "7", "20", "33", "44", "49", "81", "86", "91", "212", "353", "380", "852", "998"];

/** The usual ways to write one number. */
const spellings = ({ code, national }: { code: string; national: string }) => [
  `+${code}${national}`,
  `+${code} ${national.slice(0, 3)}-${national.slice(3)}`,
  `00${code}${national}`,
  `+${code} (0)${national}`,
  national,
  `0${national}`,
  `(${national.slice(0, 3)}) ${national.slice(3)}`,
  ...(national.length >= 10 ? [code + national] : []),
];

const phone = record({
  code: constantFrom(...CODES),
  national: stringMatching(/^[1-9]\d{8,10}$/),
});

const isFound = (entry: string, number: string) => {
  const key = storedPhoneKey(entry);
  return key !== null && searchedPhoneKeys(number).includes(key);
};

describe("The keys of phone numbers", () => {
  it("find an entry by every spelling of its number", () => {
    assert(
      property(phone, nat(), nat(), (number, first, second) => {
        const written = spellings(number);
        const entry = written[first % written.length] ?? "";
        const searched = written[second % written.length] ?? "";
        expect([entry, searched, isFound(entry, searched)]).toEqual([entry, searched, true]);
      }),
      { numRuns: 2000 },
    );
  });

  it("find no entry of a number that a phone matcher tells apart, if both have the same country code", () => {
    assert(
      property(phone, stringMatching(/^[1-9]\d{8,10}$/), (number, other) => {
        const [entry, searched] = [`+${number.code}${number.national}`, `+${number.code}${other}`];
        if (createPhoneMatcher(entry)?.(searched)) return;
        // The forms of 10 and 11 digits with a short code may meet: then the list refuses one number too many, never too few.
        const meets = [number.national, other].some((text) => text.length === 11 && /^[17]/.test(text));
        if (!meets) expect(isFound(entry, searched)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(["A068", "", "12345", "+", "123456789012345678901", "call me", "1".repeat(100)])(
    "has none for %j, which is no phone number",
    (text) => {
      expect([storedPhoneKey(text), searchedPhoneKeys(text)]).toEqual([null, []]);
    },
  );
});
