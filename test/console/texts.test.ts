import { describe, expect, it } from "vitest";
import { en } from "../../console/src/texts/en.ts";
import { zh } from "../../console/src/texts/zh.ts";

type Catalogue = { [name: string]: Catalogue | string | ((...values: string[]) => string) };

/** Every text by its path. Of one with values, what it says with these. */
function textsOf(catalogue: Catalogue, path = ""): Map<string, string> {
  const entries = Object.entries(catalogue).flatMap(([name, entry]): [string, string][] => {
    const at = `${path}${name}`;
    if (typeof entry === "string") return [[at, entry]];
    if (typeof entry === "function") return [[at, entry("⟨1⟩", "⟨2⟩")]];
    return [...textsOf(entry, `${at}.`)];
  });
  return new Map(entries);
}

const english = textsOf(en);
const chinese = textsOf(zh);

describe("The texts of the console", () => {
  it("are all there in both languages, and none is empty", () => {
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
    const empty = [...english, ...chinese].filter(([, text]) => text.trim() === "");
    expect([empty, english.size > 100]).toEqual([[], true]);
  });

  it("are written in Chinese where they are words", () => {
    const left = [...chinese].filter(([, text]) => !/\p{Script=Han}/u.test(text) && text !== "—");
    expect(left).toEqual([]);
  });

  it("say the same values in both languages", () => {
    const valuesIn = (text = "") => text.match(/⟨\d⟩/g)?.sort() ?? [];
    const other = [...english].filter(([path, text]) => valuesIn(text).join() !== valuesIn(chinese.get(path)).join());
    expect(other).toEqual([]);
  });
});
