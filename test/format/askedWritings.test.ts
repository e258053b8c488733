// In which writings a service is asked for a number that it may compare letter by letter.
import { describe, expect, it } from "vitest";
import { askedWritings, comparedPhone, comparedWritings, MAX_ASKED_WRITINGS } from "../../src/format/phoneWritings.ts";
import { isWholeNumber, readPhone } from "../../src/format/readPhone.ts";
import { samePeople } from "../corpus/samePeople.ts";

function asked(text: string): string[] {
  const reading = readPhone(text);
  if (!isWholeNumber(reading)) throw new Error(`${text} is no number.`);
  return askedWritings(reading);
}

describe("The writings in which a service is asked", () => {
  it.each<[string, ...string[]]>([
    ["+33 6 12 34 56 78", "612345678", "+33612345678", "33612345678", "0612345678"],
    ["33612345678", "33612345678", "+33612345678", "0612345678", "612345678"],
    ["85260000001", "85260000001", "+85260000001", "060000001", "60000001"],
    ["79160000001", "79160000001", "+79160000001", "09160000001", "9160000001"],
    ["12025550101", "12025550101", "+12025550101", "02025550101", "2025550101"],
    // A number of São Paulo and one of Rio de Janeiro: the second one may be of another country.
    ["11988888888", "11988888888"],
    ["21988888888", "21988888888", "+21988888888", "088888888", "88888888"],
    // A Chinese number, not an American one.
    ["13800010001", "13800010001"],
    ["2025550101", "2025550101"],
    // No Swiss or Iranian number has eight digits, as these would have behind 41 and 98.
    ["4155550101", "4155550101"],
    ["9876500001", "9876500001"],
    ["06 12 34 56 78", "612345678", "0612345678"],
    ["8 916 000 00 01", "9160000001", "89160000001", "+79160000001", "79160000001"],
  ])("of %s are %s first", (text, ...writings) => {
    expect(asked(text)).toEqual(writings);
  });

  it.each([
    ["4155550101", "55550101"],
    ["9876500001", "76500001"],
    ["33612345678", "+34612345678"],
  ])("of %s do not find %s, a number of somebody else, in the log", (text, other) => {
    const reading = readPhone(text);
    expect(isWholeNumber(reading) && comparedWritings(reading).includes(comparedPhone(other))).toBe(false);
  });

  it("are few, and hold the number as it was read", () => {
    for (const { one } of samePeople) {
      const reading = readPhone(one);
      if (!isWholeNumber(reading)) continue;
      expect([one, asked(one).length <= MAX_ASKED_WRITINGS, asked(one).includes(reading.number)]).toEqual([
        one,
        true,
        true,
      ]);
    }
  });
});
