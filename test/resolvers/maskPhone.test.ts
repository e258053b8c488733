import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskPhone } from "../../src/resolvers/maskPhone.ts";

describe("a phone number is masked but for its ends", () => {
  it.each([
    ["+8613800010001", "+8613****0001"],
    ["8613800010001", "8613****0001"],
    ["13800010001", "138****0001"],
    ["+86 138-0001-0001", "+8613****0001"],
    ["(010) 8888-1234", "010****1234"],
    ["12345678", "****5678"],
    ["+12345678", "+****5678"],
    ["1234567", "*******"],
    ["+1234567", "*******"],
    ["110", "***"],
    ["1", "*"],
    ["138ー0001ー0001", "138****0001"],
    ["138\u31640001\u115f0001", "138****0001"],
  ])("%s is %s", (phone, masked) => {
    expect(maskPhone(phone)).toBe(masked);
  });
});

describe("a line's label is shown, and a number in it is not", () => {
  it.each([
    ["A068", "A068"],
    ["Line 2 (Hall 4)", "Line 2 (Hall 4)"],
    ["号线1", "号线1"],
    ["anonymous", "anonymous"],
    ["A12345", "A*****"],
    ["sip:13800010001@gateway", "sip:138****0001@gateway"],
    ["tel:138-0001-0001", "tel:138****0001"],
    ["home 138 0001 0001", "home 138****0001"],
    ["电话１３８０００１０００１", "电话１３８****０００１"],
  ])("%s is %s", (label, masked) => {
    expect(maskPhone(label)).toBe(masked);
  });

  it("whatever is written around and between its digits", () => {
    const around = fc.constantFrom("", "tel:", "A", "+", "号", "x ");
    const between = fc.constantFrom("", " ", "-", ".", "/", "(", ") ");
    const digits = fc.array(fc.constantFrom(..."123456789".split("")), { minLength: 8, maxLength: 15 });
    fc.assert(
      fc.property(around, digits, between, around, (before, number, separator, behind) => {
        const masked = maskPhone(before + number.join(separator) + behind).replace(/\D/g, "");
        expect(masked.length).toBeLessThanOrEqual(number.length - 4);
      }),
    );
  });
});
