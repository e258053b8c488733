// The check of a table of phone numbers: the rules of the gateway, columns that are found, and rows that are left out.
import { array, assert, constantFrom, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { checkTable, type TableShape, type TaskNumber } from "../../console/src/views/tasks/create/checkTable.ts";
import { normalizeNumber, problemOf } from "../../console/src/views/tasks/create/numberRules.ts";
import { readPhone } from "../../src/format/readPhone.ts";
import { phoneCases } from "../corpus/phones.ts";

/** What the page accepts, the gateway reads as the same number, without anything beside it. */
function expectAgreement(cell: string): void {
  const written = cell.trim();
  if (problemOf(written) !== null) return;
  const [sent] = check(`号码\n"${written.replaceAll('"', '""')}"`).numbers;
  const same = { kind: "number", number: normalizeNumber(written), extension: null };
  for (const text of [written, sent?.number ?? ""]) expect([written, readPhone(text)]).toMatchObject([written, same]);
}

function check(text: string) {
  const numbers: TaskNumber[] = [];
  const rows: number[] = [];
  let shape: TableShape | null = null;
  const done = checkTable(
    text,
    { hasHead: null, columns: null },
    {
      onShape: (found) => void (shape = found),
      onNumbers(some, at) {
        numbers.push(...some);
        rows.push(...at);
      },
    },
  );
  return { ...done, numbers, rows, shape: shape as TableShape | null };
}

describe("The check of a table of phone numbers", () => {
  it.each(phoneCases)("reads $text of $country as the gateway does, or leaves it out", ({ text }) =>
    expectAgreement(text),
  );

  it("reads every text as the gateway does, or leaves it out", () => {
    const part = constantFrom(
      ...Array.from("+1234567890 -.()'\"=,/;:"),
      "00",
      "13800010001",
      "٣",
      "３",
      " 555-",
      "tel:",
      "a",
      ".0",
      "转",
      "2026-11-",
      "\u202a",
    );
    assert(
      property(array(part, { maxLength: 12 }), (parts) => expectAgreement(parts.join(""))),
      { numRuns: 3000 },
    );
  });

  it("finds columns by the names of the head, in Chinese and in English, and without a head by their cells", () => {
    const columnsOf = (text: string) => {
      const { shape } = check(text);
      return [shape?.hasHead, ...Object.values(shape?.columns ?? {})];
    };
    expect(columnsOf("销售姓名,姓名,性别,号码\nHan,Li,男,13800010001")).toEqual([true, 3, 1, 2, 0]);
    expect(columnsOf("Name;Phone;Sales person\nLi;13800010001;Han")).toEqual([true, 1, 0, -1, 2]);
    expect(columnsOf("Li\t13800010001\nHan\t13800010002")).toEqual([false, 1, -1, -1, -1]);
  });

  it("leaves out bad numbers and repeated ones with the row of a spreadsheet, and passes over blank rows", () => {
    const { numbers, rows, problems, problemCount } = check(
      [
        "13800010001",
        "",
        "138 0001-0001",
        "1.38E+10",
        "x",
        "12",
        "1".repeat(65),
        "1".repeat(21),
        "+8613800010001",
      ].join("\n"),
    );
    expect([numbers, rows]).toEqual([
      [{ number: "13800010001" }, { number: "+8613800010001" }],
      [1, 9],
    ]);
    expect(problems.map(({ row, problem, first }) => [row, problem, first ?? null])).toEqual([
      [3, "duplicate", 1],
      [4, "rounded", null],
      [5, "noNumber", null],
      [6, "digits", null],
      [7, "tooLong", null],
      [8, "digits", null],
    ]);
    expect(problemCount).toBe(problems.length);
  });

  it("gives each number the variables of its row by the names of the service, and counts the bytes that are sent", () => {
    const { numbers, bytes } = check('号码,姓名,性别\n13800010001,"李, 雷",男\n13800010002,,');
    expect(numbers).toEqual([
      { number: "13800010001", extra: { 姓名: "李, 雷", 性别: "男" } },
      { number: "13800010002" },
    ]);
    expect(bytes).toBe(Buffer.byteLength(JSON.stringify(numbers)) - 1);
  });
});
