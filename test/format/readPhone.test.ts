import { assert, constantFrom, integer, property, stringMatching, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { phoneCases, type Right } from "../corpus/phones.ts";
import { readPhone } from "../../src/format/readPhone.ts";

function shown(text: string): Right {
  const reading = readPhone(text);
  if (reading.kind === "none") return { refused: reading.reason };
  if (reading.kind === "label") return { label: true };
  const { number, extension } = reading;
  return { number, ...(extension !== null && { extension }) };
}

describe("The reader of phone numbers", () => {
  it.each(phoneCases)("reads $text of $country as the corpus says", ({ text, right }) => {
    expect(shown(text)).toEqual(right);
  });

  // Source: https://www.rfc-editor.org/rfc/rfc4694
  it.each(["npdi;rn=+12025330000", "tag=1928301774", "cic=+1-6789;rn-context=+1-202-533"])(
    "leaves the parameters ;%s of a link out",
    (parameters) => {
      expect(shown(`tel:+12025550101;${parameters}`)).toEqual({ number: "+12025550101" });
    },
  );

  // White space around a number keeps it from the short way.
  it("reads a plain international number as it reads one between spaces", () => {
    const digits = stringMatching(/^\d{1,18}$/);
    const dates = integer({ min: 19000101, max: 20991231 }).map(String);
    const beginnings = constantFrom("", "0", "00", "0011", "17951", "1", "86", "201", "52", "549", "559");
    const numbers = tuple(beginnings, digits).map((parts) => parts.join(""));
    assert(
      property(constantFrom("+", "", "++"), tuple(numbers, dates), (plus, texts) => {
        for (const text of texts) expect(readPhone(plus + text)).toEqual(readPhone(` ${plus}${text}`));
      }),
      { numRuns: 1000 },
    );
  });
});
