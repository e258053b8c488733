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
});
