import { assert, constantFrom, nat, property, record, stringMatching } from "fast-check";
import { describe, expect, it } from "vitest";
import { createPhoneMatcher } from "../../src/privacy/phoneMatcher.ts";
import { enteredPhoneKeys, noKeyMessage, possiblePhoneKeys, storedPhoneKey } from "../../src/format/phoneKeys.ts";
import { comparedPhone, comparedWritings } from "../../src/format/phoneWritings.ts";
import { readPhone } from "../../src/format/readPhone.ts";

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
})
  // Twelve digits with 20 in front may be a time (202601010800), but not with the prefixes of Egyptian mobile numbers.
  .filter(({ code, national }) => code !== "20" || national.length !== 10 || /^1[0125]/.test(national))
  // No number of America begins with 1: 00 1 1… would be the Australian prefix 0011.
  .filter(({ code, national }) => code !== "1" || !national.startsWith("1"));

const isListed = (entry: string, number: string) => {
  const key = storedPhoneKey(entry);
  return key !== null && possiblePhoneKeys(number).includes(key);
};

const isFiltered = (entry: string, number: string) => {
  const reading = readPhone(number);
  return reading.kind === "number" && comparedWritings(reading).includes(comparedPhone(entry));
};

describe("The keys of phone numbers", () => {
  it("find an entry by every spelling of its number", () => {
    assert(
      property(phone, nat(), nat(), (number, first, second) => {
        const written = spellings(number);
        const entry = written[first % written.length] ?? "";
        const searched = written[second % written.length] ?? "";
        expect([entry, searched, isListed(entry, searched)]).toEqual([entry, searched, true]);
        expect([entry, searched, isFiltered(entry, searched)]).toEqual([entry, searched, true]);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["+33612345678", "33612345678"],
    ["33612345678", "+33 6 12 34 56 78"],
    ["+85291234567", "85291234567"],
    ["85291234567", "0085291234567"],
    ["+4798765432", "4798765432"],
    ["4798765432", "+47 98765432"],
    ["+3541234567", "3541234567"],
  ])("find the entry %s by %s, which leaves the sign of its country code out", (entry, number) => {
    expect(possiblePhoneKeys(number)).toContain(storedPhoneKey(entry));
  });

  it.each([
    ["+5491100004567", "+54 11 0000-4567"],
    ["+5491100004567", "+54 11 15 0000-4567"],
    ["+54111500004567", "+54 11 0000-4567"],
  ])(
    "find the entry %s by %s, which has the mark of mobile numbers elsewhere or not, and the other way round",
    (one, other) => {
      expect(possiblePhoneKeys(other)).toContain(storedPhoneKey(one));
      expect(possiblePhoneKeys(one)).toContain(storedPhoneKey(other));
    },
  );

  it.each([
    ["+79160004567", "8 (916) 000-45-67"],
    ["9160004567", "8 (916) 000-45-67"],
    ["+375290004567", "8 029 000-45-67"],
    ["+36300004567", "06 30 000 4567"],
  ])("find the entry %s by %s with a trunk prefix, and the other way round", (one, other) => {
    expect(possiblePhoneKeys(other)).toContain(storedPhoneKey(one));
    expect(possiblePhoneKeys(one)).toContain(storedPhoneKey(other));
  });

  it.each([
    "+8613800010001 ext. 5",
    "Tel. +86 138 0001 0001",
    "13800010001 (mobile)",
    "+86 138 0001 0001 x12",
    "ｅｘｔ 5, +8613800010001",
    "+8613800010001,,5",
    "+8613800010001;phone-context=example",
    "+8613800010001#5",
    "*31#13800010001",
    "011 86 138 0001 0001",
    "0011 86 13800010001 ext 5",
  ])("find the entry +8613800010001 by %s, which has something beside the number", (number) => {
    expect(possiblePhoneKeys(number)).toContain(storedPhoneKey("+8613800010001"));
  });

  it("find the entry +18003569377 by +1 800 FLOWERS, which spells it with the letters of the keys", () => {
    expect(possiblePhoneKeys("+1 800 FLOWERS")).toContain(storedPhoneKey("+18003569377"));
  });

  it.each(["A068", "line 7", "ext. 5"])("find no entry by %s, which is the label of a line", (label) => {
    expect(possiblePhoneKeys(label)).toEqual([]);
  });

  it("find no entry of a number that a phone matcher tells apart, if both have the same country code", () => {
    assert(
      property(phone, stringMatching(/^[1-9]\d{8,10}$/), (number, other) => {
        const [entry, searched] = [`+${number.code}${number.national}`, `+${number.code}${other}`];
        if (createPhoneMatcher(entry)?.(searched)) return;
        // The forms of 10 and 11 digits with a short code may meet: then the list refuses one number too many, never too few.
        const meets = [number.national, other].some((text) => text.length === 11 && /^[17]/.test(text));
        if (!meets) expect(isFiltered(entry, searched)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["021-1234-5678", "021-1234-5678-801"],
    ["021-1234-5678", "021 1234 5678 801"],
    ["138-0001-0001", "138-0001-0001-2"],
    ["020-7946-0001", "020-7946-0001-5"],
    ["+44 20 7946 0001", "+44 20 7946 0001-5"],
    ["8888-0001", "8888-0001-2"],
    ["555-0123", "555-0123-24"],
  ])("find the entry %s by %s, which may have an extension", (entry, number) => {
    expect(possiblePhoneKeys(number)).toContain(storedPhoneKey(entry));
  });

  it.each([
    "2. 13800010002",
    "2) 13800010002",
    "2、13800010002",
    "手机2: 13800010002",
    "#2 13800010002",
    "②13800010002",
  ])("have no entry for %s, whose mark of a list would be part of the number", (text) => {
    expect([enteredPhoneKeys(text), noKeyMessage(text)]).toEqual([[], expect.stringContaining("is not clear")]);
  });

  it.each(["A068", "", "12345", "+", "123456789012345678901", "call me", "1".repeat(100)])(
    "has none for %j, which is no phone number",
    (text) => {
      expect([storedPhoneKey(text), enteredPhoneKeys(text)]).toEqual([null, []]);
    },
  );
});
