// Builds the documentation into site/dist, compressed. With --if-needed: only if its sources changed since. The folder is
// replaced when everything is ready, so that a gateway that runs never serves half of it.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { addressOf } from "./addresses.ts";
import { bundleScripts } from "./bundle.ts";
import { escapeHtml, highlight, languageOf } from "./highlight.ts";
import { layOut, type Page } from "./layout.ts";
import { findPages, ROOT, textAt } from "./pages.ts";
import { passagesOf } from "./passages.ts";
import { render } from "./render.ts";
import { DIST, digestOfSources, isBuilt, replaceSite } from "./sources.js";

const STYLES = ["console/src/styles/tokens.css", "site/src/site.css"];

export async function buildSite(): Promise<void> {
  const fresh = `${DIST}-${process.pid}`;
  // What changes while it builds is built the next time.
  const digest = digestOfSources();
  try {
    await writeSite(fresh);
    replaceSite(fresh, digest);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

async function writeSite(folder: string): Promise<void> {
  const { groups, documents, files, images } = findPages();
  const rendered = [...documents].map(([path, markdown]) => ({ path, markdown, ...render(path, markdown) }));
  const passages = rendered.flatMap(({ path, title, markdown }) => passagesOf(addressOf(path), title, markdown));
  const scripts = await bundleScripts();
  const asset = (name: string, text: string): string => {
    const digest = createHash("sha256").update(text).digest("base64url").slice(0, 10);
    const address = `assets/${name.replace(".", `-${digest}.`)}`;
    write(folder, address, text);
    return address;
  };
  const assets = {
    theme: asset("theme.js", scripts.theme),
    script: asset("site.js", scripts.site),
    styles: asset("site.css", STYLES.map(textAt).join("\n")),
    icon: asset("icon.svg", textAt("console/src/icon.svg")),
    index: asset("search.json", JSON.stringify(passages)),
  };
  const { version } = JSON.parse(textAt("package.json")) as { version: string };
  for (const page of [...rendered, ...files.map(shownFile)])
    write(folder, addressOf(page.path), layOut({ version, groups, assets }, page));
  for (const path of images) {
    const to = join(folder, addressOf(path));
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(join(ROOT, path), to);
  }
}

/** A source as a page of its own. */
function shownFile(path: string): Page {
  const language = languageOf(path);
  const code = highlight(readFileSync(join(ROOT, path), "utf8"), language);
  const html = `<h1>${escapeHtml(path)}</h1>\n<pre tabindex="0" data-language="${escapeHtml(language)}"><code>${code}</code></pre>`;
  return { path, title: path, html, headings: [] };
}

function write(folder: string, address: string, text: string): void {
  const path = join(folder, address);
  mkdirSync(dirname(path), { recursive: true });
  // The gateway looks at the first page, and decompresses the others for a browser without brotli: they would triple the package.
  if (address === "index.html") writeFileSync(path, text);
  // Above 9 it takes seconds for what saves a tenth.
  const quality = 9;
  writeFileSync(`${path}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }));
}

if (import.meta.main && !(process.argv.includes("--if-needed") && isBuilt())) await buildSite();
