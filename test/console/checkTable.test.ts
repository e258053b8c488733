// The check of a table of phone numbers: the rules of the gateway, columns that are found, and rows that are left out.
import { array, assert, constantFrom, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { checkTable, type TableShape, type TaskNumber } from "../../console/src/views/tasks/create/checkTable.ts";
import { normalizeNumber } from "../../console/src/views/tasks/create/numberRules.ts";
import { normalizePhone } from "../../src/format/phoneText.ts";

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
  it("compares numbers as the gateway does, whatever their separators, scripts of digits and schemes", () => {
    const part = constantFrom("+", "1", "2", "٣", "３", "᪁", "-", " ", "(", "tel:", "a", "٠", "𝟗", "੪");
    assert(
      property(array(part, { maxLength: 20 }), (parts) => {
        expect(normalizeNumber(parts.join(""))).toBe(normalizePhone(parts.join("")));
      }),
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
