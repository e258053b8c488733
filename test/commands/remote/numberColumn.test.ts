// The numbers of a file for the never-call list: the column, the separator, encodings, and lines that are not read.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readNumbers, type NumberPlace } from "../../../src/commands/remote/numberColumn.ts";
import { temporaryDirectory } from "../../support/gateway.ts";
import { fileCases } from "../../corpus/tableFiles.ts";

const FIRST: NumberPlace = { column: null, separator: null };

async function numbersIn(content: string | Buffer, place: Partial<NumberPlace> = {}) {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "list.csv");
  await writeFile(file, content);
  return await readNumbers(file, { ...FIRST, ...place });
}
const textsOf = (numbers: Awaited<ReturnType<typeof numbersIn>>) =>
  numbers.map(({ number, line }) => `${line} ${number}`);

describe("The numbers of a file for the never-call list", () => {
  it.each(fileCases.filter(({ right }) => typeof right === "object"))("are read from a file in $what", async (file) => {
    const bytes = Buffer.from(file.base64, "base64");
    const numbers = await numbersIn(bytes, { column: "2" });
    // The digits are the same bytes in each encoding, but for zeros between them. The numbers count up from the line below the head.
    const held =
      bytes
        .toString("latin1")
        .replaceAll("\0", "")
        .match(/1202555010\d/g) ?? [];
    expect(held.length).toBeGreaterThan(0);
    expect(textsOf(numbers)).toEqual(held.map((_, at) => `${at + 2} +1202555010${at + 1}`));
  });

  it.each(fileCases.filter(({ right }) => typeof right === "string"))("are not read from $what", async ({ base64 }) => {
    await expect(numbersIn(Buffer.from(base64, "base64"))).rejects.toThrow(/workbook|web page|no text/);
  });

  it("are those of the column with a head, below titles, whatever stands between the cells", async () => {
    const text = "Blocked in 2026\n\nName|Mobile\nLi|+12025550101\n|+12025550102\n";
    expect(textsOf(await numbersIn(text, { column: "mobile" }))).toEqual(["4 +12025550101", "5 +12025550102"]);
    await expect(numbersIn(text, { column: "phone" })).rejects.toThrow("names no column");
  });

  it("need the separator where several may be meant", async () => {
    const text = "Li,+12025550101;+12025550103\nWang,+12025550102;+12025550104";
    await expect(numbersIn(text)).rejects.toThrow("--separator");
    await expect(numbersIn(text, { separator: "tabs" })).rejects.toThrow("must be one of");
    const numbers = await numbersIn(text, { separator: ";", column: "2" });
    expect(textsOf(numbers)).toEqual(["1 +12025550103", "2 +12025550104"]);
  });

  it("are not read from lines that a quote takes in, which are named", async () => {
    const numbers = await numbersIn('+12025550101,Li\n+12025550102,"Wang\n+12025550103,Wu\n+12025550104,Xu');
    expect(numbers.map(({ line, lines, fault }) => [line, lines, fault])).toEqual([
      [1, 1, null],
      [2, 3, "openQuote"],
    ]);
  });
});
