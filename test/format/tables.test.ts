// Tables of people: what separates their cells, which row is the head, which column holds what, and who is phoned. The cases are what
// spreadsheets, address books and databases write.
import { array, assert, constantFrom, integer, property, record, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeTable, isAskedFor, tableEncodings } from "../../src/format/tables/decodeTable.ts";
import { readPhone } from "../../src/format/readPhone.ts";
import {
  firstRows,
  openTable,
  readRows,
  separators,
  usualSeparators,
  type TableRow,
} from "../../src/format/tables/tableRows.ts";
import { findShape, NO_CHOICE, type TableChoice } from "../../src/format/tables/tableShape.ts";
import { checkPeople } from "../support/checkPeople.ts";
import { fileCases } from "../corpus/tableFiles.ts";
import { tableCases } from "../corpus/tables.ts";

describe("The reader of tables", () => {
  it.each(tableCases)("reads a table with $what", ({ text, separator, head, number, name, people, left, asks }) => {
    const { shape, numbers, problems } = checkPeople(text);
    expect(shape.questions).toEqual(asks);
    const isAsked = (question: string) => asks.includes(question);
    if (!isAsked("separator")) expect([shape.separator, shape.columns]).toMatchObject([separator, { number, name }]);
    if (!isAsked("separator") && !isAsked("headRow")) expect(shape.headRow).toBe(head);
    expect(numbers.map((one) => [one.number, one.extra?.["姓名"]].filter(Boolean).join(" "))).toEqual(people);
    expect(problems.map(({ row, problem }) => `${row} ${problem}`)).toEqual(left);
  });

  it.each(fileCases)("decodes a file: $what", ({ base64, right }) => {
    const table = decodeTable(Buffer.from(base64, "base64"));
    if (typeof right === "string") return expect(table).toBe(right);
    if ("fitting" in right) {
      const [encoding, ...others] = right.fitting;
      return expect([table, typeof table === "object" && isAskedFor(table)]).toMatchObject([
        { encoding, others },
        true,
      ]);
    }
    expect(table).toMatchObject({ encoding: right.encoding, text: expect.stringContaining(right.line) });
    expect(typeof table === "object" && isAskedFor(table)).toBe(false);
  });

  it.each([
    ["rare Chinese characters", "d8a1d9b2e0a1f7fe", "gb18030", "亍俨唷齄"],
    ["bytes that no encoding uses", "418f2c9d0a319032", "windows-1252", "A\u008f,\u009d\n1\u00902"],
  ])("decodes %s in a likely encoding, and is not sure of it", (_, bytes, encoding, text) => {
    expect(decodeTable(Buffer.from(bytes, "hex"))).toEqual({ encoding, text, isSure: false, others: [] });
  });

  it("decodes a file in the encoding that somebody chose", () => {
    const bytes = Buffer.from("c0eec0d7", "hex");
    expect(tableEncodings.map((encoding) => decodeTable(bytes, encoding))).toMatchObject(
      tableEncodings.map((encoding) => ({ encoding, isSure: true })),
    );
    expect(decodeTable(bytes, "gb18030")).toMatchObject({ text: "李雷" });
  });

  it("asks what several separators may mean, and reads the table by the answer", () => {
    const text = "Li,+12025550101;+12025550103\nWang,+12025550102;+12025550104";
    expect(checkPeople(text).shape.questions).toEqual(["separator"]);
    const byComma = checkPeople(text, { ...NO_CHOICE, separator: ",", columns: { number: 1 } });
    expect(byComma.problems.map(({ problem }) => problem)).toEqual(["several", "several"]);
    const bySemicolon = checkPeople(text, { ...NO_CHOICE, separator: ";" });
    expect(bySemicolon.numbers.map(({ number }) => number)).toEqual(["+12025550103", "+12025550104"]);
  });

  it("takes a head and columns that somebody chose, also where it would take others", () => {
    const text = "Name,Phone,Work phone\nLi,+12025550101,+12025550103";
    expect(checkPeople(text).shape.questions).toEqual(["number"]);
    const chosen: TableChoice = { separator: null, headRow: 0, columns: { number: 2, name: -1 } };
    const { numbers, problems } = checkPeople(text, chosen);
    expect([numbers, problems.map(({ row }) => row)]).toEqual([[{ number: "+12025550103" }], [1]]);
  });

  it("names the lines that a quote without an end takes in", () => {
    const text = `Phone,Name\n+12025550101,Li\n+12025550102,"Wang\n${"+12025550103,Wu\n".repeat(40)}`;
    expect(checkPeople(text.trim()).problemCount).toBe(41);
    const { numbers, problems, problemCount } = checkPeople(text);
    expect([numbers.length, problems.map(({ row, lines }) => [row, lines]), problemCount]).toEqual([1, [[3, 41]], 41]);
  });

  it("counts rows as spreadsheets do and lines as editors do", () => {
    const rows: TableRow[] = [];
    readRows(openTable('sep=,\na,b\n"c\nd",e\n\nf,g\n'), ",", (row) => rows.push(row) > 0);
    expect(rows.map(({ row, line, lines, cells }) => [row, line, lines, cells.join("|")])).toEqual([
      [1, 2, 1, "a|b"],
      [2, 3, 2, "c\nd|e"],
      [3, 5, 1, ""],
      [4, 6, 1, "f|g"],
    ]);
  });
});

const digitsOf = (text: string) => text.replaceAll(/\D/g, "");
const cell = constantFrom("Li", "李雷", "a, b", 'say "hi"', "x;y", "two\nlines", "", "Müller | Co", "\t", "'", "=1");
const person = record({ name: cell, note: cell, digits: integer({ min: 0, max: 9999 }) });

/** As a program that follows the rules writes it. */
const quoted = (text: string) => (/[",;|\t\n，；｜、]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

describe("The reader of tables, over tables that programs write", () => {
  it("finds the same cells by every separator, line end and beginning", () => {
    const ways = record({
      people: array(person, { minLength: 1, maxLength: 12 }),
      separator: constantFrom(...usualSeparators),
      end: constantFrom("\n", "\r\n", "\r"),
      mark: constantFrom("", "\uFEFF"),
    });
    assert(
      property(ways, ({ people, separator, end, mark }) => {
        const lines = people.map(({ name, note, digits }) => [`+1202555${1000 + digits}`, name, note].map(quoted));
        const text = mark + [["Phone", "Name", "Note"], ...lines].map((cells) => cells.join(separator)).join(end);
        const table = openTable(text);
        const shape = findShape(table, NO_CHOICE);
        // Only cells that hold another separator, in most rows, may look like columns: then the separator is asked.
        if (shape.questions.includes("separator"))
          expect(people.some(({ name, note }) => /[,;|\t]/.test((name + note).replaceAll(separator, "")))).toBe(true);
        else expect([shape.questions, shape.separator, shape.headRow]).toEqual([[], separator, 1]);
        const names = firstRows(table, separator, 99).map(({ cells }) => cells[1]);
        expect(names).toEqual(["Name", ...people.map(({ name }) => name.trim())]);
      }),
      { numRuns: 300 },
    );
  });

  it("sends no number that is not in the text, twice or of another row, and names each row that it leaves out", () => {
    const piece = constantFrom(
      "+12025550101",
      "13800010001",
      "021-12345678",
      '"',
      ",",
      ";",
      "\n",
      "Li",
      "1.38E+10",
      " ",
    );
    assert(
      property(array(piece, { maxLength: 30 }), constantFrom(...separators, "" as const), (pieces, separator) => {
        const text = pieces.join("");
        const choice = { separator, headRow: 0, columns: { number: 0, name: 1, gender: -1, salesPersonName: -1 } };
        const { numbers, rows, problems } = checkPeople(text, choice);
        for (const { number, extra } of numbers) {
          const ofRow = text.split("\n").filter((line) => line.includes(extra?.["姓名"] ?? ""));
          expect(ofRow.some((line) => digitsOf(line).includes(digitsOf(number)))).toBe(true);
          expect(readPhone(number)).toMatchObject({ kind: "number", sent: number });
        }
        expect(new Set(numbers.map(({ number }) => number)).size).toBe(numbers.length);
        const table = openTable(text);
        const filled = firstRows(table, separator, 99).map(({ row }) => row);
        expect([...rows, ...problems.map(({ row }) => row)].sort((a, b) => a - b)).toEqual(filled);
      }),
      { numRuns: 1500 },
    );
  });

  it("reads any text without an error", () => {
    const odd = constantFrom("\0", "\uD800", '"', "sep=,\n", "\u001f", "\u2028");
    assert(
      property(string({ unit: "binary" }), odd, string(), (before, middle, after) => {
        const { shape, numbers } = checkPeople(before + middle + after);
        expect(numbers.length === 0 || shape.questions.length === 0).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
