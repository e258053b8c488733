import { describe, expect, it } from "vitest";
import { findUnasserted } from "../../scripts/assertions/unasserted.ts";

describe("the check of assertions", () => {
  it.each([
    ["an expectation", `it("a", () => expect(1).toBe(1));`],
    ["an assertion of a library", `it("a", () => { fc.assert(property); });`],
    ["a helper with the name of an expectation", `it.each([1])("a %i", (n) => expectEven(n));`],
    [
      "an expectation in a helper of its file",
      `const run = () => { check(); }; function check() { expect(1); } it("a", run);`,
    ],
    ["options before its body", `it("a", { timeout: 9 }, () => expect(1).toBe(1));`],
    ["no body", `it.todo("a");`],
  ])("accepts a test with %s", (_, source) => {
    expect(findUnasserted(source)).toEqual([]);
  });

  it.each([
    ["only waits", `it("a", async () => { await until(() => true); });`],
    ["calls itself in a circle", `const one = () => two(); const two = () => one(); it("a", () => one());`],
    ["calls a member named like a helper", `it("a", () => { log.check(); }); function check() { expect(1); }`],
    ["only calls an imported helper", `import { check } from "./check.ts"; it.each([1])("a", () => check());`],
  ])("refuses a test that %s", (_, source) => {
    expect(findUnasserted(source)).toEqual([1]);
  });

  it("returns the line of each test", () => {
    expect(findUnasserted(`it("a", () => {});\n\nit("b", () => {\n  expect(1);\n});\nit("c", run);`)).toEqual([1, 6]);
  });
});
