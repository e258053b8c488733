// The pages of the site: those that docs/README.md lists, in its order, and each file that one of them links to.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lexer, type Token, type Tokens } from "marked";
import { isImage, targetOf } from "./addresses.ts";
import { plainText, RAW_TARGET } from "./render.ts";

export const ROOT = join(import.meta.dirname, "../..");
export const CONTENTS = "docs/README.md";

export interface Entry {
  title: string;
  /** From the repository's root. */
  path: string;
}

/** A heading of the contents, with the pages under it. */
export interface Group {
  title: string;
  entries: Entry[];
}

export interface Pages {
  groups: Group[];
  /** Path → text. */
  documents: ReadonlyMap<string, string>;
  /** Paths of files that are shown as they are, such as sources. */
  files: readonly string[];
  images: readonly string[];
}

export const textAt = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** Throws where a link leads to no file. */
export function findPages(): Pages {
  const documents = new Map<string, string>();
  const others = new Set<string>();
  const waiting = [CONTENTS];
  for (const path of waiting) {
    if (documents.has(path)) continue;
    const text = textAt(path);
    documents.set(path, text);
    for (const target of targetsOf(path, text)) {
      if (!existsSync(join(ROOT, target))) throw new Error(`${path} links to ${target}, which is not there.`);
      if (target.endsWith(".md")) waiting.push(target);
      else others.add(target);
    }
  }
  const rest = [...others];
  return {
    groups: groupsOf(lexer(documents.get(CONTENTS) ?? "")),
    documents,
    files: rest.filter((path) => !isImage(path)),
    images: rest.filter(isImage),
  };
}

function targetsOf(path: string, markdown: string): string[] {
  const links = allOf(lexer(markdown)).flatMap((token) => {
    if (token.type === "link" || token.type === "image") return [(token as Tokens.Link).href];
    return token.type === "html" ? [...token.raw.matchAll(RAW_TARGET)].map(([, , link = ""]) => link) : [];
  });
  return links.flatMap((link) => targetOf(path, link)?.path ?? []);
}

/** The tokens with all that they hold. */
function allOf(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token) => [token, ...allOf(partsOf(token))]);
}

function partsOf(token: Token): Token[] {
  if (token.type === "list") return (token as Tokens.List).items;
  if (token.type !== "table") return "tokens" in token ? (token.tokens ?? []) : [];
  const { header, rows } = token as Tokens.Table;
  return [header, ...rows].flat().flatMap((cell) => cell.tokens);
}

/** Each second heading of the contents, with the first link of each item under it. */
function groupsOf(tokens: readonly Token[]): Group[] {
  const groups: Group[] = [];
  for (const token of tokens) {
    if (token.type === "heading" && (token as Tokens.Heading).depth === 2)
      groups.push({ title: plainText((token as Tokens.Heading).tokens), entries: [] });
    if (token.type === "list") groups.at(-1)?.entries.push(...(token as Tokens.List).items.flatMap(firstLink));
  }
  return groups;
}

function firstLink(item: Tokens.ListItem): Entry[] {
  const link = allOf(item.tokens).find((token): token is Tokens.Link => token.type === "link");
  const target = link && targetOf(CONTENTS, link.href);
  return target ? [{ title: plainText(link.tokens), path: target.path }] : [];
}
