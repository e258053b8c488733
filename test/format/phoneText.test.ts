import { expect, it } from "vitest";
import { asciiDigits } from "../../src/format/phoneText.ts";

it("asciiDigits converts the digits of every Unicode script, and no other character", () => {
  const texts = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code));
  const digits = texts.filter((text) => /\p{Nd}/u.test(text));
  expect(digits.length).toBeGreaterThan(700);
  expect(digits.map(asciiDigits).join("")).toBe("0123456789".repeat(digits.length / 10));
  const others = texts.filter((text) => !/[\p{Nd}\p{Cs}]/u.test(text)).join("");
  expect(asciiDigits(others) === others).toBe(true);
});
