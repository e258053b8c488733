// The blocks of code of the pages in docs/frontends/, for the tests that hold and run them.
import { readdirSync } from "node:fs";
import { join, normalize } from "node:path/posix";
import { ROOT, textAt } from "../house/sources.ts";

export const GUIDE = "docs/frontends";
/** The text of its pages. */
export const guideText = readdirSync(join(ROOT, GUIDE))
  .sort()
  .map((name) => textAt(join(GUIDE, name)))
  .join("\n");

export interface Block {
  /** The nearest heading above it. */
  heading: string;
  language: string;
  code: string;
  /** The files that the paragraph before the block links to, from the repository's root. */
  linked: string[];
}

const BLOCK = /```(\w+)\n([^]*?)```/;

export const guideBlocks: readonly Block[] = guideText.split(/^#+ /m).flatMap((section) => {
  const heading = section.split("\n", 1)[0] ?? "";
  // The parts of a split by a pattern with two groups: text, language, code, text, …
  const parts = section.split(BLOCK);
  return parts.flatMap((language, at) => {
    if (at % 3 !== 1) return [];
    const paragraph = (parts[at - 1] ?? "").trimEnd().split("\n\n").at(-1) ?? "";
    return { heading, language, code: parts[at + 1] ?? "", linked: linksOf(paragraph) };
  });
});

/** The only block of this language under the heading; `holding`: with this text. */
export function guideBlock(heading: string, language: string, holding = ""): string {
  const found = guideBlocks.filter((block) => block.heading === heading && block.language === language);
  const [block, ...others] = found.filter(({ code }) => code.includes(holding));
  if (!block || others.length > 0) throw new Error(`${GUIDE} has ${others.length} other ${language} under ${heading}.`);
  return block.code;
}

function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target = ""]) => normalize(join(GUIDE, target)));
}
