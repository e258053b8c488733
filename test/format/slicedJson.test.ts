import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExact } from "../../src/format/exactJson.ts";
import { JsonLimitError, parseInSteps } from "../../src/format/slicedJson.ts";
import { runSync, createTimeSlices } from "../../src/util/timeSlices.ts";

const LIMITS = {
  levels: 100,
  values: 1_000_000,
  containers: 1_000_000,
  items: 1_000_000,
  members: 1000,
  names: 1000,
  characters: 1000,
};
const bytes = (text: string) => Buffer.from(text);
const parse = (text: string, limits = {}) => runSync(parseInSteps(bytes(text), { ...LIMITS, ...limits }));

/** The value, or "refused". */
function outcome(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof SyntaxError) return "refused";
    throw error;
  }
}

describe("The sliced JSON parser", () => {
  it("reads any JSON value as parseExact reads it, with any white space", () => {
    const spaced = fc.tuple(fc.jsonValue({ stringUnit: "binary" }), fc.constantFrom(undefined, 1, "\t"));
    fc.assert(
      fc.property(spaced, ([value, indent]) => {
        const text = JSON.stringify(value, null, indent);
        expect(parse(text)).toEqual(parseExact(text));
        expect(JSON.stringify(parse(text))).toBe(JSON.stringify(parseExact(text)));
      }),
    );
  });

  it("refuses what parseExact refuses, in texts that are nearly JSON", () => {
    const written = String.raw`[ ] { } , : "a" "b" "\ 1 -1 01 1. 1e5 .5 - 1e +1 true null nul 9007199254740993 -9007199254740993 1E400 x`;
    const token = fc.constantFrom(...written.split(" "), " ", "\n", '"\t"', "\u00a0", "\ufeff");
    const text = fc.array(token, { maxLength: 9 }).map((tokens) => tokens.join(""));
    fc.assert(
      fc.property(text, (input) => {
        expect(outcome(() => parse(input))).toEqual(outcome(() => parseExact(input)));
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    '{"a":1,"b":2,"a":3}',
    '{"__proto__":{"polluted":1},"constructor":"x"}',
    '{"7":1,"a":2,"1":3}',
    '[[],{},[[]],{"a":{}}]',
    '"\\u0041\\ud83d\\ude00"',
    '{"号码\\n":"张三","é":"\\\\","😀\\"":"\\"","":"a\\\\"}',
    '"a\\"',
    '"张\\',
    '"\u007f\u0080"',
    '"a\nb"',
    "tru",
    "nullnull",
    " [ 1 , -0 , 1.50 , 9007199254740993 ] ",
    "[1,]",
    '{"a":1,}',
    "[1 2]",
    "[}",
    '{"a"}',
    "",
    "[1]]",
  ])("reads or refuses %s as parseExact does", (text) => {
    expect(outcome(() => JSON.stringify(parse(text)))).toEqual(outcome(() => JSON.stringify(parseExact(text))));
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("The limits of the sliced JSON parser", () => {
  it.each([
    ["more values", "[1,1,1]", { values: 3 }, "more than 3 values"],
    ["more lists and objects", "[[],{}]", { containers: 2 }, "more than 2 lists and objects"],
    ["more levels", "[[[1]]]", { levels: 2 }, "more than 2 levels"],
    ["a longer number", "[[111111]]", { characters: 5 }, "more than 5 characters"],
    ["more items", "[1,[1,2,3]]", { items: 2 }, "more than 2 items"],
    ["more member names", '[{"a":1,"b":1},{"a":1},{"c":1}]', { names: 2 }, "more than 2 different member names"],
    ["more members", '{"a":1,"b":1,"c":1}', { members: 2 }, "more than 2 members"],
  ])("refuse a body with %s than the limit, and name the limit", (_, text, limits, message) => {
    expect(() => parse(text, limits)).toThrow(JsonLimitError);
    expect(() => parse(text, limits)).toThrow(message);
  });

  it.each(['["\\ud800"]', '{"\\udc00":1}', '"a\\ud83d"'])("refuse a lone surrogate: %s", (text) => {
    expect(() => parse(text)).toThrow(URIError);
  });

  it("refuse a body that is not UTF-8, also if its last character is incomplete", () => {
    for (const end of [0xff, 0xe4]) {
      expect(() => runSync(parseInSteps(Buffer.from([0x22, end]), LIMITS))).toThrow(TypeError);
    }
  });
});

describe("Parsing in slices", () => {
  it("lets the event loop turn many times while a large body is parsed", async () => {
    const text = `[${'{"number":"13800010001"},'.repeat(200_000)}1]`;
    let turns = 0;
    const count = () => {
      turns += 1;
      ticking = setImmediate(count);
    };
    let ticking = setImmediate(count);
    await createTimeSlices().run("web", parseInSteps(bytes(text), LIMITS));
    clearImmediate(ticking);
    expect(turns).toBeGreaterThan(3);
  });

  it("runs one slice in each turn of the event loop, with five parsers at once", async () => {
    const slices = createTimeSlices();
    let ended = 0;
    let open = true;
    const perTurn: number[] = [];
    let steps = 0;
    function* work() {
      const end = performance.now() + 60;
      while (performance.now() < end) {
        steps += 1;
        const until = performance.now() + 12;
        while (performance.now() < until);
        yield;
      }
      ended += 1;
    }
    const works = Array.from({ length: 5 }, () => slices.run("web", work()));
    const watch = () => {
      perTurn.push(steps);
      steps = 0;
      if (open) setImmediate(watch);
    };
    // The first slices of all run at once.
    watch();
    await Promise.all(works);
    open = false;
    expect(ended).toBe(5);
    expect(Math.max(...perTurn.slice(1))).toBeLessThanOrEqual(2);
  });
});
