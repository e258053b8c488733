import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskBody, maskPhone } from "../../src/privacy/maskPhone.ts";

describe("maskPhone of a number", () => {
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
  ])("maskPhone shows the number %s as %s", (phone, masked) => {
    expect(maskPhone(phone)).toBe(masked);
  });
});

describe("maskPhone of a line's label", () => {
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
  ])("maskPhone shows the label %s as %s", (label, masked) => {
    expect(maskPhone(label)).toBe(masked);
  });

  it("hides at least four digits of a number, whatever is around and between its digits", () => {
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

describe("maskBody", () => {
  it.each([
    [`{"callee":"+8613800010001","caller":"A068","n":60}`, `{"callee":"+8613****0001","caller":"A068","n":60}`],
    [`{"callee":8613800010001}`, `{"callee":8613****0001}`],
    [`[]`, `[]`],
    [`"138-0001-0001"`, `"138****0001"`],
    [`{"callee":"\\u0031\\u0033800010001"}`, `{"callee":"138****0001"}`],
    [`{"name":"\\u674e"}`, `{"name":"\\u674e"}`],
    [`{"callee":"138\\u20110001\\u20110001"}`, `{"callee":"138****0001"}`],
    [`{"text":"a\\u0022b\\u000a"}`, `{"text":"a\\u0022b\\u000a"}`],
    ["callee=%2B86138%2D0001%2d0001&n=60", "callee=+8613****0001&n=60"],
    ["callee=%31%33800010001", "callee=138****0001"],
    ["name=%E6%9D%8E%4A%0A", "name=%E6%9D%8E%4A%0A"],
    ["138<b>0001</b>0001", "138****0001"],
    ['138 <b class="x1">0001</b> <i>0001</i>', "138****0001</i>"],
    ["<a>x</a><b>60</b>", "<a>x</a><b>60</b>"],
    ["138ー0001ー0001", "138****0001"],
  ])("maskBody shows %s as %s", (body, masked) => {
    expect(maskBody(body)).toBe(masked);
  });

  const jsonEscape = (mark: string) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const hexReference = (mark: string) => `&#x${mark.charCodeAt(0).toString(16)};`;
  const decimalReference = (mark: string) => `&#${mark.charCodeAt(0)};`;
  const separators = [" ", "-", ".", "(", "\t", "\u00a0", "\u200b", "\u2011", "\u3000", "\u3164", "ー", "／"];
  it.each([String, jsonEscape, encodeURIComponent, hexReference, decimalReference, (mark: string) => `<b>${mark}</b>`])(
    "masks a number with any separator escaped by %o",
    (escape) => {
      for (const separator of separators)
        expect(maskBody(["138", "4567", "8901"].join(escape(separator)))).toMatch(/^138\d?\*{4}8901$/);
    },
  );

  it.each([
    ["digits", "", "1 "],
    ["blanks", "", " "],
    ["blanks after a digit", "1", " "],
    ["digits and letters", "", "1a"],
    ["unclosed tags", "", "1<"],
    ["tags between digits", "", "1<>"],
    ["tags with digits, after a digit", "1", "<2>"],
    ["references with digits, after a digit", "1", "&2;"],
    ["escaped control characters, after a digit", "1", "%01"],
    ["escapes of a URL", "", "%e2%80%91"],
  ])("masks a megabyte of %s in linear time", (_, before, over) => {
    expect(maskBody(`${before}${over.repeat(1_000_000 / over.length)}x`)).toMatch(/x$/);
  });
});
