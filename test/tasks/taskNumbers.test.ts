import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runSync } from "../../src/util/timeSlices.ts";
import { validateCreateTask } from "../../src/tasks/validateCreateTask.ts";
import { createTaskInput } from "./input.ts";

/** The mistakes in the numbers of a task. */
function mistakes(...numbers: string[]) {
  const read = runSync(validateCreateTask(createTaskInput({ numbers: numbers.map((number) => ({ number })) })));
  return "errors" in read ? read.errors : [];
}

const paths = (...numbers: string[]) => mistakes(...numbers).map(({ path }) => path.join("."));

describe("The comparison of numbers in a task", () => {
  const brackets = ["(138)", "[138]", "{138}", "<138>", "【138】", "〔138〕", "「138」", "（138）"];
  const between = Array.from(" -./\\_~,:;'’·•・ー−‐‑–—⁃˗─＿\u00a0\u2044\u2215\u3000\t");
  const unseen = Array.from(
    "\u00ad\u034f\u115f\u1160\u200b\u2028\u202a\u2060\u2800\u3164\ufe0f\ufeff\uffa0\u{e0001}\u{e0100}",
  );
  const scripts = ["１３８０００１０００１", "١٣٨٠٠٠١٠٠٠١", "१३८०००१०००१", "𝟏𝟑𝟖𝟎𝟎𝟎𝟏𝟎𝟎𝟎𝟏", "①③⑧０００①０００①"];
  it.each([
    "13800010001",
    " 13800010001",
    "(138) 0001.0001",
    "\u202a13800010001\u202c",
    "tel:138-0001-0001",
    "ＴＥＬ： 13800010001",
    ...brackets.map((code) => `${code}00010001`),
    ...between.map((mark) => `138${mark}0001${mark}0001`),
    ...unseen.map((mark) => `${mark}138${mark}0001${mark}0001${mark}`),
    ...scripts,
  ])("the same number as %j is reported with both places", (again) => {
    const mistake = { path: ["numbers", "3", "number"], message: expect.stringContaining("the one at 1") as unknown };
    expect(mistakes("13800010002", "13800010001", "13800010003", again)).toEqual([mistake]);
  });

  it("ignores other characters between the digits", () => {
    const alike = /[a-z\p{Nd}+]/iu;
    const other = fc.string({ unit: "binary", minLength: 1, maxLength: 1 });
    const mark = other.filter((text) => !alike.test(text.normalize("NFKC")));
    fc.assert(
      fc.property(fc.array(mark, { minLength: 12, maxLength: 12 }), (marks) => {
        const again = [...marks.entries()].map(([at, text]) => text + ("13800010001"[at] ?? "")).join("");
        expect(new Set(paths("13800010001", again))).toEqual(new Set(["numbers.1.number"]));
      }),
      { numRuns: 1000 },
    );
  });

  it("reports two mistakes for three equal numbers", () => {
    expect(paths("a1", "A1", "ａ1")).toEqual(["numbers.1.number", "numbers.2.number"]);
    expect(paths("+8613800010001", "＋86 138 0001 0001", "(+86) 13800010001")).toHaveLength(2);
  });

  it("tells different numbers apart", () => {
    expect(paths("13800010001", "+113800010002", "+8613800010003", "A068", "B068", "068")).toEqual([]);
    expect(paths("+8613800010001", "+113800010001", "+44 13800010001")).toEqual([]);
  });

  it("reports a number with and without its country code, which is one person's", () => {
    expect(paths("13800010001", "+13800010001", "8613800010001")).toEqual(["numbers.1.number", "numbers.2.number"]);
  });
});

describe("A text that is no phone number", () => {
  it.each(["", "  ", "--", "\u200b", "+", "( )", "ー", "\u3164"])("is reported if it has no digit: %j", (number) => {
    const message = number.trim() === "" ? "must not be empty" : "must contain a digit or a Latin letter";
    expect(mistakes(number)).toEqual([{ path: ["numbers", "0", "number"], message }]);
  });

  it.each(["\0", "\u001b", "\u001f", "\u007f", "\u0085", "\ud800", "\udc00"])(
    "is reported if it contains %j",
    (mark) => {
      expect(mistakes(`138${mark}00010001`)).toEqual([
        { path: ["numbers", "0", "number"], message: expect.stringMatching(/control characters|Unicode/) as unknown },
      ]);
    },
  );

  it("is reported if it has more than 64 characters, visible or not", () => {
    const long = (length: number) => "1".padEnd(length, "\u200b");
    expect(paths(long(64))).toEqual([]);
    expect(mistakes(long(65), long(65))).toEqual(
      [0, 1].map((at) => ({
        path: ["numbers", String(at), "number"],
        message: expect.stringContaining("64") as unknown,
      })),
    );
  });
});
