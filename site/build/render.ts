// Turns a document into HTML: headings with anchors, links to files of the site, code with colours.
import { Marked, type Token, type Tokens } from "marked";
import { addressOf, linkBetween, targetOf } from "./addresses.ts";
import { escapeHtml, highlight } from "./highlight.ts";

export interface Heading {
  level: number;
  text: string;
  anchor: string;
}

export interface Rendered {
  title: string;
  html: string;
  /** In their order, the title first. */
  headings: Heading[];
}

export const RAW_TARGET = /\b(src|srcset|href)="([^"]+)"/g;

/** `path`: of the document, from the repository's root. */
export function render(path: string, markdown: string): Rendered {
  const headings: Heading[] = [];
  const anchorOf = createAnchors();
  const address = addressOf(path);
  const onSite = (link: string): string => {
    const target = targetOf(path, link);
    return target ? linkBetween(address, addressOf(target.path)) + target.anchor : link;
  };
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const anchor = anchorOf(plainText(tokens));
        headings.push({ level: depth, text: plainText(tokens), anchor });
        const words = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1 id="${anchor}">${words}</h1>\n`;
        const label = escapeHtml(`Link to “${plainText(tokens)}”`);
        return `<h${depth} id="${anchor}">${words} <a class="anchor" href="#${anchor}" aria-label="${label}">#</a></h${depth}>\n`;
      },
      link({ href, title, tokens }) {
        const words = this.parser.parseInline(tokens);
        const described = title ? ` title="${escapeHtml(title)}"` : "";
        return `<a href="${escapeHtml(onSite(href))}"${described}>${words}</a>`;
      },
      image: ({ href, text }) => `<img src="${escapeHtml(onSite(href))}" alt="${escapeHtml(text)}">`,
      // A picture for light and dark is HTML in the document.
      html: ({ text }) =>
        text.replaceAll(RAW_TARGET, (_, name: string, link: string) => `${name}="${escapeHtml(onSite(link))}"`),
      code({ text, lang }) {
        const language = lang ?? "text";
        const words = highlight(text, language);
        return `<pre tabindex="0" data-language="${escapeHtml(language)}"><code>${words}\n</code></pre>\n`;
      },
      table(token) {
        return `<div class="table" tabindex="0">${tableOf(token, (tokens) => this.parser.parseInline(tokens))}</div>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { title: headings[0]?.text ?? path, html, headings };
}

function tableOf({ header, rows }: Tokens.Table, inline: (tokens: Token[]) => string): string {
  const cellsOf = (cells: Tokens.TableCell[], tag: string) =>
    `<tr>${cells.map(({ text, tokens }) => inTag(text === "" ? "td" : tag, inline(tokens))).join("")}</tr>`;
  return `<table><thead>${cellsOf(header, "th")}</thead><tbody>${rows.map((row) => cellsOf(row, "td")).join("\n")}</tbody></table>`;
}

const inTag = (tag: string, html: string): string => `<${tag}>${html}</${tag}>`;

/** A document's anchors, made as GitHub makes them: the same heading twice has a number behind it. */
export function createAnchors(): (heading: string) => string {
  const used = new Map<string, number>();
  return (heading) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-");
    const times = used.get(anchor) ?? 0;
    used.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  };
}

/** The words of a piece of text, without its marks. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => ("tokens" in token && token.tokens ? plainText(token.tokens) : unescaped(token)))
    .join("");
}

const unescaped = (token: Token): string => {
  if (token.type === "html" || token.type === "br") return " ";
  return "text" in token && typeof token.text === "string" ? token.text : token.raw;
};
