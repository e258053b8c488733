import { describe, expect, it } from "vitest";
import { faultsOf } from "../../scripts/prose/faults.ts";
import { findTexts } from "../../scripts/prose/texts.ts";

const faultsIn = (source: string) => findTexts(source).flatMap(faultsOf);
const words = (count: number) => `The ${"word ".repeat(count - 1).trim()}.`;

describe("the check of prose", () => {
  it("accepts a sentence of 35 words and refuses one of 36, in comments, messages and doc comments", () => {
    for (const write of [
      (text: string) => `// ${text}`,
      (text: string) => `/** ${text} */ const a = 1;`,
      (text: string) => `throw new Error("${text}");`,
      (text: string) => `throw new Error(\`${text}\`);`,
    ]) {
      expect(faultsIn(write(words(35)))).toEqual([]);
      expect(faultsIn(write(words(36)))).toEqual([expect.stringMatching(/^36 words in a sentence, at most 35/)]);
    }
  });

  it("counts a sentence over several comment lines", () => {
    const comment = (sentence: string) => sentence.replaceAll(/((?:\S+ ){9}\S+) /g, "$1\n// ");
    expect(faultsIn(`// ${comment(words(35))}\nconst a = 1;`)).toEqual([]);
    expect(faultsIn(`// ${comment(words(36))}\nconst a = 1;`)).toHaveLength(1);
  });

  it("ends a sentence with a paragraph and with an item of a list", () => {
    expect(faultsIn(`// ${words(30).slice(0, -1)}\n//\n// ${words(30)}`)).toEqual([]);
    expect(faultsIn(`/** Forms:\n * - ${words(20).slice(0, -1)}\n * - ${words(20)} */`)).toEqual([]);
  });

  it("refuses a comment that begins with Of and leans on the name below it", () => {
    expect(faultsIn("/** Of the last attempt. */\nlet error = null;")).toEqual([
      'the comment leans on a name: "Of the last attempt."',
    ]);
    expect(faultsIn("/** Why the last attempt failed. Of two, the later one. */\nlet error = null;")).toEqual([]);
  });

  it("refuses banned openers", () => {
    expect(faultsIn("// Whoever leaves ends the request.")).toHaveLength(1);
    expect(faultsIn("// It ends. Nor does it begin again.")).toHaveLength(1);
    expect(faultsIn('log.warn("What the service said is told once.");')).toHaveLength(1);
  });

  it("accepts a question, a short string and a statement of SQL", () => {
    expect(faultsIn("// Who may read this?")).toEqual([]);
    expect(faultsIn('const a = "who";')).toEqual([]);
    expect(faultsIn(`const a = "SELECT ${"a, ".repeat(50)}b FROM c";`)).toEqual([]);
  });

  it("refuses titles of tests that begin with and, but, nor or or", () => {
    for (const opener of ["and", "but", "nor", "or"]) {
      expect(faultsIn(`it("${opener} again", () => {});`)).toEqual([
        `the title continues another one: "${opener} again"`,
      ]);
      expect(faultsIn(`it.each([1])("${opener} %s", () => {});`)).toHaveLength(1);
      expect(faultsIn(`describe(\`${opener} \${name}\`, () => {});`)).toHaveLength(1);
    }
    expect(faultsIn('it("orders two events", () => {});')).toEqual([]);
  });

  it("names the line", () => {
    expect(findTexts('const a = 1;\n// A comment.\nit("a title", () => {});')).toEqual([
      { kind: "comment", line: 2, text: "A comment." },
      { kind: "title", line: 3, text: "a title" },
    ]);
  });
});
