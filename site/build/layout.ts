// The frame around each page: the version, the search, the contents, the headings of the page, the next page.
import { addressOf, linkBetween } from "./addresses.ts";
import { escapeHtml } from "./highlight.ts";
import type { Entry, Group } from "./pages.ts";
import type { Heading } from "./render.ts";

export interface Site {
  version: string;
  groups: readonly Group[];
  /** The addresses of the built scripts, styles and index, with their digests. */
  assets: { theme: string; script: string; styles: string; index: string; icon: string };
}

export interface Page {
  /** The path of the document from the repository's root. */
  path: string;
  title: string;
  html: string;
  headings: readonly Heading[];
}

const PRODUCT = "Switchboard";

export function layOut({ version, groups, assets }: Site, { path, title, html, headings }: Page): string {
  const address = addressOf(path);
  const to = (target: string) => escapeHtml(linkBetween(address, target));
  const linkTo = ({ title, path: target }: Entry, more = "") =>
    `<a href="${to(addressOf(target))}"${more}>${escapeHtml(title)}</a>`;
  const item = (entry: Entry) => `<li>${linkTo(entry, entry.path === path ? ' aria-current="page"' : "")}</li>`;
  const contents = groups
    .map(({ title, entries }) => `<p class="group">${escapeHtml(title)}</p>\n<ul>${entries.map(item).join("\n")}</ul>`)
    .join("\n");
  const [before, after] = neighboursOf(groups, path);
  const step = (entry: Entry | undefined, rel: string, word: string) =>
    entry ? `<p class="${rel}">${word} ${linkTo(entry, ` rel="${rel}"`)}</p>` : "";

  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title === PRODUCT ? title : `${title} · ${PRODUCT}`)}</title>
<script src="${to(assets.theme)}"></script>
<link rel="icon" href="${to(assets.icon)}">
<link rel="stylesheet" href="${to(assets.styles)}">
<script type="module" src="${to(assets.script)}" data-index="${to(assets.index)}" data-root="${to("index.html")}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the page</a>
<header>
<a class="product" href="${to("index.html")}">${PRODUCT}</a>
<span class="version">version ${escapeHtml(version)}</span>
<search hidden></search>
</header>
<div class="columns">
<nav class="contents" aria-label="Contents">
<details><summary>Contents</summary>
${contents}
</details>
</nav>
<main id="content">
${html}
<footer>
${step(before, "prev", "Before:")}
${step(after, "next", "Next:")}
<p class="written">Written for version ${escapeHtml(version)}. Source: <code>${escapeHtml(path)}</code></p>
</footer>
</main>
${outlineOf(headings)}
</div>
</body>
</html>
`;
}

function neighboursOf(groups: readonly Group[], path: string): [Entry | undefined, Entry | undefined] {
  const entries = groups.flatMap(({ entries }) => entries);
  const at = entries.findIndex((entry) => entry.path === path);
  return at < 0 ? [undefined, entries[0]] : [entries[at - 1], entries[at + 1]];
}

/** The headings of the page, where there are several. */
function outlineOf(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return "";
  const items = shown.map(
    ({ level, text, anchor }) => `<li class="level${level}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="outline" aria-label="On this page">
<p class="group">On this page</p>
<ul>${items.join("\n")}</ul>
</nav>`;
}
