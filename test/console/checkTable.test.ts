// The check of a table of phone numbers in the console's form: it reads a number as the gateway does, and counts people.
import { array, assert, constantFrom, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { faultyRowsText } from "../../console/src/views/tasks/create/faultyRows.ts";
import { readPhone } from "../../src/format/readPhone.ts";
import { phoneCases } from "../corpus/phones.ts";
import { checkPeople } from "../support/checkPeople.ts";

/** A cell that is sent is the gateway's number; a cell that is not sent is left out by name. */
function expectAgreement(cell: string): void {
  const quoted = `号码\n"${cell.replaceAll('"', '""')}"`;
  const { numbers, problems } = checkPeople(quoted, { separator: ",", headRow: 1, columns: { number: 0 } });
  const written = readPhone(cell);
  const [sent] = numbers;
  if (sent === undefined) {
    expect(problems.length === 1 || cell.trim() === "").toBe(true);
    return;
  }
  expect([written.kind, written.kind === "number" && written.sent]).toEqual(["number", sent.number]);
  expect(readPhone(sent.number)).toMatchObject({
    kind: "number",
    number: written.kind === "number" ? written.number : "",
  });
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

  it.each(["李雷，13800010001", "13800010001、2", "13800010001；办公", "138｜00010001"])(
    "leaves out %s as unclear",
    (cell) => {
      const { numbers, problems } = checkPeople(`电话\n${cell}\n13800010002`, {
        separator: "",
        headRow: 1,
        columns: { number: 0 },
      });
      expect([numbers.map(({ number }) => number), problems.map(({ problem }) => problem)]).toEqual([
        ["13800010002"],
        ["unclear"],
      ]);
    },
  );

  it("leaves out bad numbers and repeated people with the row of a spreadsheet, and passes over blank rows", () => {
    const rows = ["13800010001", "", "138 0001-0001", "1.38E+10", "x", "12", "1".repeat(65), "1".repeat(21)];
    const people = ["+8613800010001", "+12025550101", "+44 2025550101", "021-12345678转801", "021-12345678转802"];
    const { numbers, rows: at, problems, problemCount } = checkPeople([...rows, ...people].join("\n"));
    expect([numbers.map(({ number }) => number), at]).toEqual([
      ["13800010001", "+12025550101", "+44 2025550101", "021-12345678转801", "021-12345678转802"],
      [1, 10, 11, 12, 13],
    ]);
    expect(problems.map(({ row, problem, first }) => [row, problem, first])).toEqual([
      [3, "duplicate", 1],
      [4, "rounded", null],
      [5, "label", null],
      [6, "digits", null],
      [7, "tooLong", null],
      [8, "digits", null],
      [9, "duplicate", 1],
    ]);
    expect(problemCount).toBe(problems.length);
  });

  it("gives each number the variables of its row by the names of the service, and counts the bytes that are sent", () => {
    const { numbers, bytes } = checkPeople('号码,姓名,性别\n13800010001,"李, 雷",男\n13800010002,,');
    expect(numbers).toEqual([
      { number: "13800010001", extra: { 姓名: "李, 雷", 性别: "男" } },
      { number: "13800010002" },
    ]);
    expect(bytes).toBe(Buffer.byteLength(JSON.stringify(numbers)) - 1);
  });

  it("writes the rows that are left out as a table that it reads again, without formulas", () => {
    const { shape, problems } = checkPeople('Phone,Name\n+12025550101,Li\n+1.38E+10,"=A1, B"\n+12025550101,Wu');
    const words = { row: "Row", why: "Why", column: String, whyOf: ({ problem }: { problem: string }) => problem };
    const text = faultyRowsText(shape, problems, words);
    expect(text).toBe(
      "\uFEFFRow,Why,Phone,Name\r\n3,rounded,'+1.38E+10,\"'=A1, B\"\r\n4,duplicate,'+12025550101,Wu\r\n",
    );
    expect(checkPeople(text).numbers).toEqual([{ number: "+12025550101", extra: { 姓名: "Wu" } }]);
  });
});
