import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  parseExact,
  parseExactInOrder,
  parseUnrounded,
  writeInteger,
  type ReviverContext,
} from "../../src/format/exactJson.ts";

/** The reference for parseExact: a reviver that checks each value, which is slow. */
function exactReviver(this: unknown, _key: string, value: unknown, { source = "" }: ReviverContext): unknown {
  const isRounded = typeof value === "number" && !Number.isSafeInteger(value);
  return isRounded && /^-?\d+$/.test(source) ? source : value;
}

describe("An integer of any size", () => {
  it("arrives as a number up to 2^53, and as its text beyond", () => {
    expect(parseExact("[9007199254740991,9007199254740992,9007199254740993123,-9007199254740993]")).toEqual([
      9007199254740991,
      "9007199254740992",
      "9007199254740993123",
      "-9007199254740993",
    ]);
  });

  it("stays a number where a double holds it, if only rounding matters", () => {
    const doubles = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.constant(2 ** 53));
    fc.assert(
      fc.property(fc.array(doubles), (list) => {
        expect(parseUnrounded(JSON.stringify(list))).toEqual(JSON.parse(JSON.stringify(list)));
      }),
    );
    const text = '[9007199254740993,"9007199254740993",-9007199254740993123,9007199254740992]';
    expect(parseUnrounded(text)).toEqual(["9007199254740993", "9007199254740993", "-9007199254740993123", 2 ** 53]);
  });

  it("is not confused with a fraction, an exponent or digits in a text", () => {
    expect(parseExact('[1234567890123456.5,1e20,"call 9007199254740993123"]')).toEqual([
      1234567890123456.5,
      1e20,
      "call 9007199254740993123",
    ]);
  });

  it("keeps its digits when it is read and written", () => {
    const ids = fc.bigInt({ min: 0n, max: 2n ** 80n });
    fc.assert(
      fc.property(fc.array(ids), (list) => {
        const text = `{"deep":[{"ids":[${list.join(",")}]}]}`;
        const read = parseExact(text) as { deep: [{ ids: (string | number)[] }] };
        const written = read.deep[0].ids.map((id) => writeInteger(String(id)));
        expect(JSON.stringify({ deep: [{ ids: written }] })).toBe(text);
      }),
    );
  });

  it("is written from plain decimals only", () => {
    for (const id of ["", "1.5", "-1", "01", "1e3", "1,2", '1"', " 1"])
      expect(() => writeInteger(id)).toThrow(TypeError);
  });
});

describe("parseExact of other JSON", () => {
  it("returns the values of JSON.parse, in their order", () => {
    const plainJson = fc.json().filter((text) => !/\d{16}/.test(text));
    fc.assert(
      fc.property(plainJson, (text) => {
        expect(parseExact(text)).toEqual(JSON.parse(text));
        // The long number selects the slow path.
        expect(parseExact(`[1234567890123456,${text}]`)).toEqual(JSON.parse(`[1234567890123456,${text}]`));
        expect(parseExactInOrder(text, "no such key")).toEqual(JSON.parse(text));
      }),
    );
  });

  it("reads 16 MB of small values", () => {
    const value = parseExact(`[${"{},".repeat(5_000_000)}9007199254740993]`) as unknown[];
    expect([value.length, value.at(-1)]).toEqual([5_000_001, "9007199254740993"]);
  });

  it("agrees with JSON.parse about any text", () => {
    const pieces = ["9007199254740993123", "-", '"', "\\", ":", ",", "[", "]", "{", "}", " ", "0", ".", "e", "1", "a"];
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(""));
    const outcome = (read: () => unknown) => {
      try {
        return { value: read() };
      } catch {
        return "refused";
      }
    };
    fc.assert(
      fc.property(texts, (text) => {
        expect(outcome(() => parseExact(text))).toEqual(outcome(() => JSON.parse(text, exactReviver)));
      }),
      { numRuns: 20_000 },
    );
  });

  it("refuses what JSON.parse refuses", () => {
    const long = "9007199254740993123";
    const numbers = [
      `${long}x`,
      `0${long}`,
      `-0${long}`,
      `+${long}`,
      `--${long}`,
      `${long}-1`,
      `${long}.`,
      `[${long} 1]`,
    ];
    const keys = [`{${long}:1}`, `{${long} :1}`, `{-${long}\n:1}`, `{"a":${long}:1}`, `{"a"${long}:1}`];
    const texts = [`"${long}`, `"a"${long}`, `${long}"a"`, `\\"${long}\\"`, `["${long}\\"]`];
    for (const text of ["", "{", "<html>", "{'a':1}", "[1,]", ...numbers, ...keys, ...texts]) {
      expect(() => parseExact(text)).toThrow(SyntaxError);
      expect(() => parseExactInOrder(text, "a")).toThrow(SyntaxError);
    }
  });

  it("reads __proto__ as an ordinary key", () => {
    const text = '{"__proto__":{"admin":true,"id":9007199254740993123}}';
    for (const parse of [parseExact, (text: string) => parseExactInOrder(text, "x")]) {
      const value = parse(text) as Record<string, unknown>;
      expect(Object.keys(value)).toEqual(["__proto__"]);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(value["admin"]).toBeUndefined();
    }
  });
});

describe("parseExactInOrder", () => {
  it("keeps the order of keys such as indexes, escapes and __proto__", () => {
    const text = String.raw`{"a":{"columns":{"姓名":2,"7":0,"__proto__":1,"\u0033":9007199254740993,"q\"":4}},"b":"\"columns\":{"}`;
    expect(parseExactInOrder(text, "columns")).toEqual({
      a: {
        columns: [
          ["姓名", 2],
          ["7", 0],
          ["__proto__", 1],
          ["3", "9007199254740993"],
          ['q"', 4],
        ],
      },
      b: '"columns":{',
    });
  });

  it("keeps lists, nulls and scalars under the name", () => {
    expect(parseExactInOrder('[{"columns":[1]},{"columns":null},{"columns":5}]', "columns")).toEqual([
      { columns: [1] },
      { columns: null },
      { columns: 5 },
    ]);
  });

  it("lists the entries of objects in lists", () => {
    expect(parseExactInOrder('{"tasks":[{"columns":{"b":1}},[{"columns":{"a":2}}]]}', "columns")).toEqual({
      tasks: [{ columns: [["b", 1]] }, [{ columns: [["a", 2]] }]],
    });
  });

  it("keeps the order in a text of 8 MB", () => {
    const text = JSON.stringify({ prompt: 'say "x" '.repeat(1_000_000), columns: { b: 1 } });
    expect(parseExactInOrder(text, "columns")).toMatchObject({ columns: [["b", 1]] });
  });
});

describe("parseExact of random JSON", () => {
  const key = fc.oneof(fc.string(), fc.constantFrom("7", "010", "__proto__", "numberFileMeta"));
  const integer = fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n });
  const { value: json } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      integer.map(String),
      fc.string().map((text) => JSON.stringify(text)),
      fc.constant("null"),
      fc.array(tie("value")).map((items) => `[${items.join(",")}]`),
      fc
        .uniqueArray(fc.tuple(key, tie("value")), { selector: ([name]) => name })
        .map((entries) => `{${entries.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`),
    ),
  }));

  it("agrees with a parser that checks each number", () => {
    fc.assert(
      fc.property(json, (text) => {
        expect(parseExact(text)).toEqual(JSON.parse(text, exactReviver));
      }),
    );
  });

  it("keeps the order of the named object for any keys", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.oneof(fc.string(), fc.nat().map(String))), (keys) => {
        const text = `{"meta":{${keys.map((name, at) => `${JSON.stringify(name)}:${at}`).join(",")}}}`;
        expect(parseExactInOrder(text, "meta")).toEqual({ meta: keys.map((name, at) => [name, at]) });
      }),
    );
  });
});
