import { describe, expect, it } from "vitest";
import { sourcesIn } from "./sources.ts";

const MAX_LINES = 250;
const MAX_MEDIAN = 100;

describe("The length of files", () => {
  const sources = [...sourcesIn("src"), ...sourcesIn("sandbox/src")];

  it("is at most 250 lines in src/ and sandbox/, with a short median", () => {
    expect(sources.filter(({ lines }) => lines > MAX_LINES).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
    const lengths = sources.map(({ lines }) => lines).sort((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(MAX_MEDIAN);
  });

  it("is at most 250 lines in test/", () => {
    const tests = sourcesIn("test").filter(({ path }) => !path.startsWith("test/generated/"));
    expect(tests.filter(({ lines }) => lines > MAX_LINES).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
  });

  it("does not matter for names, which are camelCase", () => {
    expect(sources.map(({ path }) => path).filter((path) => !/\/[a-z][A-Za-z0-9]*\.ts$/.test(path))).toEqual([]);
  });
});
