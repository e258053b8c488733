// The sources as text, for the tests that hold the house's rules.
import { readdirSync, readFileSync } from "node:fs";
import { join, normalize, relative } from "node:path/posix";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Source {
  /** From the repository's root, such as `src/server/httpServer.ts`. */
  path: string;
  text: string;
  lines: number;
  /** Our own files, by path from the root. */
  imports: string[];
  /** Packages and built-in modules, by name. */
  packages: string[];
}

const IMPORT = /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+"([^"]+)"|(?:^|\n)import\s+"([^"]+)"|import\("([^"]+)"\)/g;

export function sourcesIn(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:tsx?|js)$/.test(file) && !file.includes("node_modules/"))
    .map((file) => sourceAt(join(folder, file)))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** All of them, from the root, with the pages below docs/. */
export function documentPaths(): string[] {
  const own = readdirSync(ROOT);
  const docs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).map((file) => join("docs", file));
  return [...own, ...docs].filter((path) => path.endsWith(".md")).sort();
}

export function textAt(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

function sourceAt(path: string): Source {
  const text = textAt(path);
  const all = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
  const isOwn = (name: string) => name.startsWith(".");
  return {
    path,
    text,
    lines: text.split("\n").length - 1,
    imports: all.filter(isOwn).map((name) => relative("", normalize(join(path, "..", name)))),
    packages: all.filter((name) => !isOwn(name)),
  };
}
