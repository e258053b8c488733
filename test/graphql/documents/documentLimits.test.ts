import { getIntrospectionQuery, parse } from "graphql";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findExcess } from "../../../src/graphql/documents/documentLimits.ts";
import { isWellFormed } from "../../../src/graphql/operationParams.ts";

const excess = (query: string) => findExcess(parse(query));
const repeated = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at)).join(" ");
const nested = (depth: number) => `{ a ${"{ a ".repeat(depth - 1)}${"} ".repeat(depth - 1)}}`;
const doubling = (times: number, leaf: string) =>
  `{ a { ...F0 } } ${repeated(times, (at) => `fragment F${at} on A { ...F${at + 1} ...F${at + 1} }`)} fragment F${times} on A { ${leaf} }`;

describe("a document at a limit passes, and one beyond it does not", () => {
  it.each([
    ["depth", nested(12), nested(13)],
    [
      "depth through fragments",
      `{ ...F } fragment F on Query ${nested(12)}`,
      "{ a { ...F } } fragment F on A { ...G } fragment G on A { ... { ... on A " + nested(12) + " } }",
    ],
    ["aliases", `{ ${repeated(100, (at) => `a${at}: b`)} }`, `{ x { ${repeated(101, (at) => `a${at}: b`)} } }`],
    [
      "aliases of __typename",
      `{ ${repeated(100, (at) => `a${at}: __typename`)} }`,
      `{ x { ${repeated(101, (at) => `a${at}: __typename`)} } }`,
    ],
    [
      "aliases through fragments",
      `{ a { ...F } b { ...F } } fragment F on A { ${repeated(50, (at) => `a${at}: b`)} }`,
      `{ a { ...F } b { ...F } } fragment F on A { ${repeated(51, (at) => `a${at}: b`)} }`,
    ],
    ["root fields", `{ ${"a ".repeat(100)} }`, `{ ${"a ".repeat(101)} }`],
    [
      "root fields through fragments",
      `{ ...F ...F } fragment F on Query { ${"a ".repeat(50)} }`,
      `{ ...F ... { ...F } } fragment F on Query { ${"a ".repeat(51)} }`,
    ],
    ["directives", `{ a ${"@b ".repeat(50)} }`, `{ a ${"@b ".repeat(51)} }`],
    ["directives of the operation", `query ${"@b ".repeat(50)} { a }`, `query ${"@b ".repeat(50)} { a @b }`],
    [
      "directives of variables and fragments",
      `query($a: Int ${"@b ".repeat(25)}) { ...F ${"@b ".repeat(24)} } fragment F on A @b { a }`,
      `query($a: Int ${"@b ".repeat(25)}) { ...F ${"@b ".repeat(24)} } fragment F on A @b { a @b }`,
    ],
    ["fields of doubled fragments", doubling(13, "b"), doubling(14, "b")],
    ["a second operation", "query A { a } query B { b }", `query A { a } query B ${nested(13)}`],
  ])("for %s", (_, within, beyond) => {
    expect(excess(within)).toBeNull();
    expect(excess(beyond)).toMatch(/more than \d+/);
  });
});

describe("the measurement of a document", () => {
  it("ends for fragments that double a thousand times, and for cycles", () => {
    expect(excess(doubling(1000, "b"))).toMatch(/more than/);
    expect(excess("{ ...A } fragment A on Q { a { ...B } ...A } fragment B on Q { b { ...A } }")).toBeNull();
    expect(excess("{ ...Missing }")).toBeNull();
  });
});

describe("the depth of a document", () => {
  it("does not count introspection", () => {
    expect(excess(getIntrospectionQuery())).toBeNull();
    expect(excess(`{ __type(name: "A") ${nested(30)} }`)).toBeNull();
    expect(excess(`{ a { __typename } ${nested(30).slice(1)}`)).not.toBeNull();
  });
});

describe("isWellFormed", () => {
  it("finds half of a surrogate pair at any depth", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isWellFormed(value)).toBe(true);
        expect(isWellFormed([value, { a: "\ud800" }])).toBe(false);
        expect(isWellFormed({ "\udc00": value })).toBe(false);
      }),
    );
    let deep: unknown = "\ud83d\ude00";
    for (let at = 0; at < 100_000; at += 1) deep = [deep];
    expect(isWellFormed(deep)).toBe(true);
  });
});
