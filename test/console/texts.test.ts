import { globSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

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

const SOURCES = fileURLToPath(new URL("../../console/src", import.meta.url));

/** Reads every folder texts/. A catalogue of texts/en.ts may hold those of other folders. */
async function readAll(language: "en" | "zh"): Promise<Map<string, string>> {
  const paths = globSync(`**/texts/${language}.ts`, { cwd: SOURCES }).sort();
  const texts = await Promise.all(
    paths.map(async (path) => {
      const module = (await import(join(SOURCES, path))) as Record<string, Catalogue>;
      const folder = path.slice(0, -`texts/${language}.ts`.length);
      return Object.values(module).flatMap((catalogue) => [...textsOf(catalogue, folder)]);
    }),
  );
  return new Map(texts.flat());
}

const english = await readAll("en");
const chinese = await readAll("zh");

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

  // An approver reads them, too, and the limits are those of the proposer.
  it("of people who are left out do not call the limits those of the reader", () => {
    const all = [english, chinese].flatMap((texts) =>
      [...texts].filter(([path]) => path.endsWith("again.why.NOT_ALLOWED")),
    );
    expect(all).toHaveLength(2);
    expect(all.filter(([, text]) => /your|您/i.test(text))).toEqual([]);
  });

  it("say the same values in both languages", () => {
    const valuesIn = (text = "") => text.match(/⟨\d⟩/g)?.sort() ?? [];
    const other = [...english].filter(([path, text]) => valuesIn(text).join() !== valuesIn(chinese.get(path)).join());
    expect(other).toEqual([]);
  });
});
