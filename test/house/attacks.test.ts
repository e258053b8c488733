import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(`${root}docs/security.md`, "utf8");
/** The rows of its tables: what is tried, and the tests of it. */
const rows = page.split("\n").filter((line) => /^\| A\d+/.test(line));
const ALL = Array.from({ length: 95 }, (_, at) => at + 1);

/** `A1–A3, A8` → 1, 2, 3, 8. */
function numbersOf(row: string): number[] {
  const [, names = ""] = row.split("|");
  return [...names.matchAll(/A(\d+)(?:–A(\d+))?/g)].flatMap(([, from, to]) => {
    const first = Number(from);
    return Array.from({ length: Number(to ?? from) - first + 1 }, (_, at) => first + at);
  });
}

describe("Each attack of docs/security.md", () => {
  it("has a row, from A1 to A95", () => {
    const listed = new Set(rows.flatMap(numbersOf));
    expect(ALL.filter((number) => !listed.has(number))).toEqual([]);
  });

  it("has a row with existing tests", () => {
    for (const row of rows) {
      const files = row.match(/test\/[\w/]+\.test\.ts/g) ?? [];
      expect([row, files.length > 0]).toEqual([row, true]);
      expect(files.filter((file) => !existsSync(root + file))).toEqual([]);
    }
  });

  it("is named in a test", async () => {
    const files = (await readdir(`${root}test`, { recursive: true })).filter((file) => file.endsWith(".ts"));
    const texts = files
      .filter((file) => !file.startsWith("house"))
      .map((file) => readFileSync(`${root}test/${file}`, "utf8"));
    const named = new Set(
      texts.flatMap((text) => [...text.matchAll(/\bA(\d+)\b/g)].map(([, number]) => Number(number))),
    );
    expect(ALL.filter((number) => !named.has(number))).toEqual([]);
  });
});
