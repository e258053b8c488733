import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPhoneMatcher } from "../../src/privacy/phoneMatcher.ts";

const matches = (number: string, text: string) => createPhoneMatcher(number)?.(text);

describe("a phone matcher finds the number", () => {
  const writings = [
    "13800010001",
    "+8613800010001",
    "8613800010001",
    "008613800010001",
    "+86 138 0001 0001",
    "+86-138-0001-0001",
    "(+86) 138.0001.0001",
    "013800010001",
    "١٣٨٠٠٠١٠٠٠١",
    "+86 13800010001",
  ];
  it.each(writings)("finds the number %s in every other writing", (writing) => {
    for (const other of writings) {
      expect(matches(writing, other)).toBe(true);
      expect(matches(writing, `please call ${other}, or nobody`)).toBe(true);
    }
  });

  it.each([
    ["+442079460000", "+44 (0)20 7946 0000"],
    ["020 7946 0000", "+44 20 7946 0000"],
    ["+6581234567", "81234567"],
    ["13800010001", "sip:13800010001@line.example"],
    ["13800010001", "13900010002 13800010001 13900010003"],
    ["13800010001", "https://files.example/20261120_13800010001_7.wav?to=%2B8613800010001"],
    ["13800010001", "record2026112013800010001007.wav"],
    ["13800010001", String.raw`{"to":"\u00313800010001"}`],
    // What looks like an escape but is not complete may be a part of the number, or stand before it.
    ["13800010001", "&#x13%3800010001"],
    ["13800010001", "&#x13&#56;00010001"],
    ["13800010001", String.raw`U+1380\u0030010001`],
  ])("finds %s in %s", (number, text) => expect(matches(number, text)).toBe(true));

  it("finds a number between any other texts", () => {
    const around = fc.string({ unit: "binary" }).map((text) => text.replaceAll(/[\p{Nd}+%\\]/gu, ""));
    fc.assert(
      fc.property(around, around, fc.stringMatching(/^[1-9]\d{9,12}$/), (before, behind, number) => {
        expect(matches(number, `${before}${number}${behind}`)).toBe(true);
      }),
    );
  });
});

describe("a phone matcher does not find another number", () => {
  it.each([
    ["13800010001", "13800010002"],
    ["13800010001", "800010001"],
    ["18666013800", "66013800"],
    ["+8613800010001", "00010001"],
    ["13800010001", "A068"],
    ["1234567", "12345678"],
  ])("does not find %s in %s", (number, text) => expect(matches(number, text)).toBe(false));
});

describe("createPhoneMatcher refuses what is not a phone number", () => {
  it.each([
    "",
    "A068",
    "10086",
    "+",
    "0000000",
    "123456",
    "1".repeat(21),
    "13800010001".padEnd(65),
    "138x00010001",
    "1380001\u00000001",
  ])("refuses %j, which is not a phone number", (text) => expect(createPhoneMatcher(text)).toBeNull());
});
