import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, canonicalChunks } from "../../src/util/canonicalJson.ts";

describe("canonical JSON", () => {
  it("gives equal values one text, and other values another", () => {
    const text = canonicalJson({ b: [{ d: 1, c: null }], a: "x" });
    expect(text).toBe('{"a":"x","b":[{"c":null,"d":1}]}');
    expect(canonicalJson({ a: "x", b: [{ c: null, d: 1 }] })).toBe(text);
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
    expect(canonicalJson({ a: "1" })).not.toBe(canonicalJson({ a: 1 }));
  });

  it("is the same text where it is written in pieces", () => {
    const value = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(value, (input) => {
        expect([...canonicalChunks(input)].join("")).toBe(canonicalJson(input));
      }),
    );
  });

  it("orders keys that look like indexes or prototypes", () => {
    const [a, b] = ['{"10":1,"9":2,"__proto__":3}', '{"__proto__":3,"9":2,"10":1}'].map(
      (text) => JSON.parse(text) as unknown,
    );
    expect(canonicalJson(a)).toBe(canonicalJson(b));
    expect(canonicalJson(a)).toContain('"__proto__":3');
  });
});
