import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contradictsPhone } from "../../src/loaders/phoneFilter.ts";

const NUMBER = "13800010001";

describe("a phone number that contradicts the filter", () => {
  it.each([
    [NUMBER, "13800010002"],
    [NUMBER, "+8613800010002"],
    [NUMBER, "138000100010"],
    ["+8613800010001", "+8613900010001"],
    // The service matched only the last digits.
    [NUMBER, "13911110001"],
    ["0001", "13800020002"],
    ["1380001", "13900010001"],
    ["02087654321", "+44 20 8765 4322"],
  ])("is detected: filter %s, row %s", (asked, shown) => {
    expect(contradictsPhone(asked, shown)).toBe(true);
  });
});

describe("a value that may match the phone filter", () => {
  it.each([
    ["with the country code", NUMBER, "+8613800010001"],
    ["with 00 and the country code", NUMBER, "008613800010001"],
    ["with a trunk zero and separators", NUMBER, "0 138-0001-0001"],
    ["without the country code", "+86 138 0001 0001", NUMBER],
    ["with a trunk zero after the country code", "02079460958", "+44 (0)20 7946 0958"],
    ["without the area code", "01062345678", "62345678"],
    ["in digits of another script", NUMBER, "１３８０００１０００１"],
    ["a part, for a service that compares parts", "0001", NUMBER],
    ["a part at the start", "1380001", NUMBER],
    ["the label of a line", NUMBER, "A068"],
    ["a short number, which may be a label", NUMBER, "801"],
    ["an address of another network", NUMBER, "sip:2001@pbx.example"],
    ["a number that the service masks", NUMBER, "139****0002"],
    ["a number that the service masks with letters", NUMBER, "139xxxx0002"],
    ["a number with an extension", NUMBER, "13900010002 ext 4"],
    ["no number", NUMBER, null],
    ["a number, for a label as the filter", "A068", "13900010002"],
  ])("is accepted: %s", (_, asked, shown) => {
    expect(contradictsPhone(asked, shown)).toBe(false);
  });

  it("is accepted in any spelling of the same number", () => {
    const digits = (length: number) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: 11 });
    const national = digits(8).map((rest) => `1${rest.join("")}`);
    const code = fc.constantFrom("", "+86", "0086", "+1", "001", "+352", "0");
    const separator = fc.constantFrom("", " ", "-", ".", "/");
    const written = (number: string, start: string, between: string) =>
      `${start}${between}${number.split("").join(between)}`;
    fc.assert(
      fc.property(national, code, code, separator, separator, (number, one, other, between, among) => {
        if (one !== other && one.length > 1 && other.length > 1) return;
        expect(contradictsPhone(written(number, one, between), written(number, other, among))).toBe(false);
      }),
    );
  });
});
