// Where a file of the repository is on the site. Paths are relative to the repository's root, and have slashes.
import { dirname, join, relative } from "node:path/posix";

const OWN = "docs/";
const OTHER = "repository/";
const IMAGE = /\.(?:png|svg)$/;

/** The file of the site: `docs/queries.md` → `queries.html`, `client/README.md` → `repository/client/index.html`. */
export function addressOf(path: string): string {
  const below = path.startsWith(OWN) ? path.slice(OWN.length) : OTHER + path;
  if (IMAGE.test(path)) return below;
  if (!path.endsWith(".md")) return `${below}.html`;
  return below.replace(/README\.md$/, "index.md").replace(/\.md$/, ".html");
}

export const isImage = (path: string): boolean => IMAGE.test(path);

/** A link of a document that leads to another file. Null: to another site, or to a place of the same page. */
export function targetOf(from: string, link: string): { path: string; anchor: string } | null {
  if (/^(?:#|[a-z]+:)/.test(link)) return null;
  const [file = "", anchor] = link.split("#", 2);
  return { path: join(dirname(from), file), anchor: anchor === undefined ? "" : `#${anchor}` };
}

/** The link between two files of the site. */
export function linkBetween(from: string, to: string): string {
  return relative(dirname(from), to);
}
