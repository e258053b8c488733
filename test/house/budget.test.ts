import { describe, expect, it } from "vitest";
import { sourcesIn } from "./sources.ts";

const LONGEST = 250;
const USUAL = 100;

describe("a file is a sentence", () => {
  const sources = sourcesIn("src");

  it("none is longer than 250 lines, and the usual one is short", () => {
    expect(sources.filter(({ lines }) => lines > LONGEST).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
    const lengths = sources.map(({ lines }) => lines).sort((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(USUAL);
  });

  it("no test file is longer either", () => {
    const tests = sourcesIn("test").filter(({ path }) => !path.startsWith("test/generated/"));
    expect(tests.filter(({ lines }) => lines > LONGEST).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
  });

  it("file names are camelCase", () => {
    expect(sources.map(({ path }) => path).filter((path) => !/\/[a-z][A-Za-z0-9]*\.ts$/.test(path))).toEqual([]);
  });
});
