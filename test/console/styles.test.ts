// A class that a stylesheet does not have leaves a part of a page without its look, and nothing says so.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { globSync } from "node:fs";
import { describe, expect, it } from "vitest";

const SOURCES = join(import.meta.dirname, "../../console/src");

describe("The console's components", () => {
  const files = globSync("**/*.tsx", { cwd: SOURCES });

  it("name only classes that their stylesheet has", () => {
    const unknown = files.flatMap((file) => {
      const text = readFileSync(join(SOURCES, file), "utf8");
      return [...text.matchAll(/import (\w+) from "([^"]+\.module\.css)"/g)].flatMap(([, name, sheet = ""]) => {
        const css = readFileSync(join(SOURCES, dirname(file), sheet), "utf8");
        const classes = new Set([...css.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, each]) => each));
        const named = [...text.matchAll(new RegExp(`\\b${name}\\["([^"]+)"\\]`, "g"))].map(([, each]) => each);
        return named.filter((each) => !classes.has(each)).map((each) => `${file}: ${each}`);
      });
    });
    expect(unknown).toEqual([]);
    expect(files.length).toBeGreaterThan(50);
  });
});
