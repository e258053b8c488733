import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { instrument } from "../../scripts/mutation/instrument.ts";
import { applyMutant, findMutants } from "../../scripts/mutation/mutants.ts";

const mutantsOf = (text: string) =>
  findMutants("a.ts", text).map((mutant) => ({ change: mutant.change, text: applyMutant(text, mutant) }));

describe("findMutants", () => {
  it("moves a boundary, swaps a logical operator and leaves a default out", () => {
    expect(mutantsOf("const a = b < c;")).toEqual([{ change: "< to <=", text: "const a = b <= c;" }]);
    expect(mutantsOf("const a = (b) && c;")).toEqual([{ change: "&& to ||", text: "const a = (b) || c;" }]);
    expect(mutantsOf("const a = b ?? c;")).toEqual([{ change: "?? left out", text: "const a = b;" }]);
  });

  it("decides a condition both ways", () => {
    expect(mutantsOf("if (a) b;").map(({ text }) => text)).toEqual([
      "if ((a) || Boolean(1)) b;",
      "if ((a) && Boolean(0)) b;",
    ]);
  });

  it("leaves a call, an awaited call and an assignment out", () => {
    for (const step of ["a();", "await a();", "a = b;"])
      expect(mutantsOf(step)).toEqual([{ change: "statement left out", text: ";" }]);
  });

  it("replaces a result by undefined, unless it is undefined", () => {
    expect(mutantsOf("function f() { return a; }").map(({ text }) => text)).toEqual([
      "function f() { return undefined as never; }",
    ]);
    expect(mutantsOf("function f() { return undefined; }")).toEqual([]);
  });

  it("leaves types and texts alone", () => {
    expect(mutantsOf('type A = 1 | true; interface B { c: 0 } const d = "e" + f;')).toEqual([]);
  });

  it("counts functions as instrument names them, so that a mutant finds its tests", () => {
    const text = "const f = () => g(1);\nfunction h() { return k < 2; }\n";
    const [inArrow, ...inFunction] = findMutants("a.ts", text);
    expect(inArrow?.functionIndex).toBe(0);
    expect(inFunction.map(({ functionIndex }) => functionIndex)).toEqual([1, 1]);
    const instrumented = instrument("a.ts", text, "/reached.js");
    expect(instrumented).toContain('const f = () => (__reached("a.ts#0"), g(1));');
    expect(instrumented).toContain('function h() {__reached("a.ts#1"); return');
  });
});

describe("instrument", () => {
  it("records the loaded file and each function that ran once, also in a program that a test starts", () => {
    const folder = mkdtempSync(join(tmpdir(), "instrument-"));
    const source = "const ran = () => 1;\nfunction never() {}\nexport default [ran(), ran(), never];\n";
    const recorder = resolve(import.meta.dirname, "../../scripts/mutation/reached.js");
    writeFileSync(join(folder, "a.ts"), instrument("a.ts", source, recorder));
    const reached = join(folder, "reached");
    execFileSync(process.execPath, [join(folder, "a.ts")], { env: { REACHED_FILE: reached } });
    expect(readFileSync(reached, "utf8")).toBe("a.ts#top\na.ts#0\n");
  });
});
