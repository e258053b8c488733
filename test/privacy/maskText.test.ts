import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskText } from "../../src/privacy/maskPhone.ts";
import { decodedTexts } from "../../src/privacy/decodeEscapes.ts";

const hex = (text: string, width = 1) => (text.codePointAt(0) ?? 0).toString(16).padStart(width, "0");
const each = (text: string, write: (character: string) => string) => Array.from(text, write).join("");

/** Escapes that a program can decode. */
const writings: Record<string, (text: string) => string> = {
  plain: (text) => text,
  json: (text) => each(text, (one) => `\\u${hex(one, 4)}`),
  "json in json": (text) => each(text, (one) => `\\\\u${hex(one, 4)}`),
  point: (text) => each(text, (one) => `\\u{${hex(one)}}`),
  byte: (text) => each(text, (one) => (one < "\u0100" ? `\\x${hex(one, 2)}` : one)),
  url: (text) =>
    each(text, (one) => `%${Array.from(Buffer.from(one), (byte) => byte.toString(16).padStart(2, "0")).join("%")}`),
  "escape()": (text) => each(text, (one) => `%u${hex(one, 4)}`),
  decimal: (text) => each(text, (one) => `&#${one.codePointAt(0)};`),
  "decimal with zeros": (text) => each(text, (one) => `&#000${one.codePointAt(0)};`),
  hexadecimal: (text) => each(text, (one) => `&#x${hex(one)};`),
  "0x": (text) => each(text, (one) => (one < "\u0100" ? `0x${hex(one, 2)}` : one)),
  "U+": (text) => each(text, (one) => `U+${hex(one, 4)}`),
  "HTML in HTML": (text) => each(text, (one) => `&amp;#x${hex(one).toUpperCase()};`),
};
const zeros = ["0", "０", "٠", "०", "០"];
const separators = [
  "",
  " ",
  "-",
  ".",
  "/",
  "(",
  ") ",
  "\u00a0",
  "\u200b",
  "\u2011",
  "ー",
  "\u3164",
  "<b>",
  "</b> <i>",
  "&nbsp;",
  "\\n",
];

/** The digits that a person sees in the text, as ASCII. */
function digitsRead(text: string): string {
  const shown = (decodedTexts(text).at(-1) ?? "").normalize("NFKC");
  return each(shown, (one) => {
    const zero = zeros.find((first) => one >= first && one <= String.fromCharCode(first.charCodeAt(0) + 9));
    return zero === undefined ? "" : String(one.charCodeAt(0) - zero.charCodeAt(0));
  });
}

describe("maskText masks a phone number", () => {
  const number = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 8, maxLength: 15 });
  // `0x31` and `U+0031` do not say where they end: digits beside them make them ambiguous.
  const { "0x": _, "U+": __, ...delimited } = writings;
  const way = fc.constantFrom(...Object.values(delimited));
  const digit = (value: number, zero: string) => String.fromCharCode(zero.charCodeAt(0) + value);

  it("masks a number in any combination of scripts, separators and escapes", () => {
    const scripts = fc.array(fc.constantFrom(...zeros), { minLength: 15, maxLength: 15 });
    const between = fc.array(fc.constantFrom(...separators), { minLength: 15, maxLength: 15 });
    const inner = fc.array(way, { minLength: 15, maxLength: 15 });
    fc.assert(
      fc.property(number, scripts, between, inner, way, (digits, script, separatorAt, ways, outer) => {
        // A year followed by two equal separators may be a date.
        fc.pre(digits[0] !== 1 && digits[0] !== 2);
        const written = digits
          .map((value, at) => ways[at]?.(digit(value, script[at] ?? "0")) + (separatorAt[at] ?? ""))
          .join("");
        const masked = maskText(`moved to ${outer(written)} x`);
        expect(digitsRead(masked).length).toBeLessThanOrEqual(digits.length - 4);
        expect(masked).toContain("****");
      }),
      { numRuns: 1000 },
    );
  });

  it.each(Object.entries(writings))("masks a number that is escaped twice, the outer escape being %s", (_, outer) => {
    for (const inner of Object.values(writings)) {
      expect(maskText(outer(inner("13800010001")))).toBe("138****0001");
      expect(maskText(outer(inner("+8613800010001")))).toBe("+8613****0001");
    }
  });

  it.each([
    ["1381-23-45 678", "138****5678"],
    ["moved to +86 138 0001 0001, SIP", "moved to +8613****0001, SIP"],
    ["电话１３８０００１０００１", "电话１３８****０００１"],
    ["𝟏𝟑𝟖𝟎𝟎𝟎𝟏𝟎𝟎𝟎𝟏", "𝟏𝟑𝟖****𝟎𝟎𝟎𝟏"],
    ["①③⑧⓪⓪⓪①⓪⓪⓪①", "①③⑧****⓪⓪⓪①"],
    ["&#49&#51&#56&#48&#48&#48&#49&#48&#48&#48&#49", "138****0001"],
    ["138&nbsp0001&nbsp0001", "138****0001"],
    ["wss://voice.example/live/13800010001?a=%31%33", "wss://voice.example/live/138****0001?a=%31%33"],
    ["%13%80%00%10%00%10", "%1380****0010"],
    ["&#13955667788", "&#139****7788"],
    ["\\x13955667788", "\\x9****7788"],
    ["1234567", "*******"],
    ["2026-11-20 138 0001 0001", "2026-11-20 138****0001"],
    ["2026-11-20 7788", "2026****7788"],
    ["2026-11-20-7788", "2026****7788"],
    ["2026-99-99", "****9999"],
    ["13:80:00:10:00:1", "138****0001"],
    ["138%A00001%A00001", "138****0001"],
    ['<a title="&#x31;&#x33;&#x38;00010001">x</a>', '<a title="138****0001">x</a>'],
  ])("shows %s as %s", (text, masked) => {
    expect(maskText(text)).toBe(masked);
  });
});

describe("maskText shows of numbers that overlap", () => {
  it.each([
    ["before it in the text", "a%4112345678", "a%****5678"],
    ["around a number in the middle", "1380001%30001", "138****0001"],
  ])("the one that a reader sees after decoding, where another begins %s", (_, text, masked) => {
    expect(maskText(text)).toBe(masked);
  });
});

describe("maskText leaves unchanged a text without a phone number", () => {
  it.each([
    "",
    "A068",
    "NORMAL_CLEARING 16",
    "SIP 48603",
    "100% of 3 calls, 20 %20 &amp; \\u674e <b>x</b>",
    "2026-11-20",
    "2026-11-20 10:00:00",
    "2026-13-20 10:00:00",
    "2026/11/20T10:00:00.123456+08:00",
    "from 2026-11-20 09:30 to 2026-12-20 18:00",
    "09:00-12:00",
    "09:00-12:00, 14:00-18:30",
    "号线1",
  ])("leaves %j unchanged", (text) => {
    expect(maskText(text)).toBe(text);
  });

  it("leaves a text with fewer than 7 digits unchanged, whatever else it holds", () => {
    const other = fc.string({ unit: "binary" }).map((text) => text.replaceAll(/[\p{N}]/gu, ""));
    const part = fc.tuple(other, fc.constantFrom("", "1", "%41", "\\n", "&lt;", "0"));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 3 }), (parts) => {
        const text = parts.flat().join("");
        expect(maskText(text)).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("maskText takes linear time", () => {
  it.each([
    "1 ",
    "\\",
    "\\u0031",
    "%31",
    "&#49;",
    "&",
    "<",
    "<a",
    "&amp;",
    "%2525",
    "09:00 ",
    "2026-11-20 ",
    "12:",
    "\u3164",
    "1a",
    "++1",
  ])("takes linear time for a megabyte of %j", (over) => {
    const text = `${over.repeat(1_000_000 / over.length)}x`;
    expect(maskText(text).length).toBeGreaterThan(0);
  });
});
