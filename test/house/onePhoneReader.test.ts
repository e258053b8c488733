// One place reads phone numbers: src/format/readPhone.ts with its parts. A second reader would take a listed number for another one.
import { describe, expect, it } from "vitest";
import { sourcesIn } from "./sources.ts";

/** The parts of the reader, by the only files that may use them. */
const PARTS: Record<string, string[]> = {
  "src/format/notPhone.ts": ["src/format/readPhone.ts"],
  "src/format/phoneMarks.ts": ["src/format/readPhone.ts", "src/format/phoneKeys.ts"],
  "src/format/phoneExtension.ts": ["src/format/readPhone.ts", "src/format/phoneKeys.ts"],
  "src/format/countryCode.ts": ["src/format/phoneKeys.ts", "src/format/phoneWritings.ts"],
  // The matcher searches texts of any kind for digits, which is no reading of a number; personal writings are asked of the service.
  "src/format/phoneText.ts": [
    "src/format/phoneKeys.ts",
    "src/format/phoneMarks.ts",
    "src/format/readPhone.ts",
    "src/privacy/phoneMatcher.ts",
  ],
};
const sources = sourcesIn("src").filter(({ path }) => !path.startsWith("src/sandbox/"));

describe("The reader of phone numbers", () => {
  it("is the only one: no other file uses its parts", () => {
    const strays = Object.entries(PARTS).flatMap(([part, users]) =>
      sources
        .filter(({ path, imports }) => imports.includes(part) && !users.includes(path))
        .map(({ path }) => [path, part]),
    );
    expect(strays).toEqual([]);
    expect(Object.keys(PARTS).filter((part) => !sources.some(({ path }) => path === part))).toEqual([]);
  });

  it("is the only one: no other file drops the separators of a number or reads digits of other scripts", () => {
    const parses = /replace(?:All)?\(\/\[?\^?\\D|\\p\{Nd\}|\[\\d\\s\(\)/;
    const readers = sources.filter(({ text }) => parses.test(text)).map(({ path }) => path);
    expect(readers.filter((path) => !(path in PARTS) && !ALLOWED.has(path))).toEqual([]);
  });
});

/** The reader itself, and files that search digits in texts of any kind. */
const ALLOWED: ReadonlySet<string> = new Set([
  "src/format/readPhone.ts",
  "src/format/phoneKeys.ts",
  "src/privacy/maskPhone.ts",
  "src/privacy/phoneMatcher.ts",
  "src/commands/numberColumn.ts",
  "src/loaders/phoneFilter.ts",
]);
