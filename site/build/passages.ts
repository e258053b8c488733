// What the search finds: each paragraph, list item, row and block of code, with the heading that it stands under.
import { lexer, type Token, type Tokens } from "marked";
import type { Passage } from "../src/passage.ts";
import { createAnchors, plainText } from "./render.ts";

export function passagesOf(address: string, title: string, markdown: string): Passage[] {
  const anchorOf = createAnchors();
  let place = { u: address, h: "" };
  return lexer(markdown).flatMap((token) => {
    if (token.type !== "heading") return textsOf(token).map((text) => ({ ...place, p: title, t: text }));
    const words = plainText((token as Tokens.Heading).tokens);
    const anchor = anchorOf(words);
    const isTitle = (token as Tokens.Heading).depth === 1;
    place = isTitle ? { u: address, h: "" } : { u: `${address}#${anchor}`, h: words };
    // A heading is found although nothing but other headings stands under it.
    return [{ ...place, p: title, t: "" }];
  });
}

function textsOf(token: Token): string[] {
  if (token.type === "space" || token.type === "html" || token.type === "hr") return [];
  if (token.type === "table") {
    const { rows } = token as Tokens.Table;
    return rows.map((cells) => cells.map(({ tokens }) => plainText(tokens)).join(" · "));
  }
  if (token.type === "list") return (token as Tokens.List).items.map(({ tokens }) => joined(tokens));
  return [joined([token])];
}

/** In one line. */
const joined = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => ("tokens" in token && token.tokens ? plainText(token.tokens) : textOfBlock(token)))
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .trim();

const textOfBlock = (token: Token): string =>
  token.type === "list" ? textsOf(token).join(" ") : "text" in token ? String(token.text) : "";
