// The built documentation, and its pages as text.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { buildSite } from "../../site/build/buildSite.ts";
import { DIST, isBuilt } from "../../site/build/sources.js";

/** Builds the documentation where its sources are newer, as `npm start` does with DOCS=on. */
export async function ensureBuilt(): Promise<void> {
  if (!isBuilt()) await buildSite();
}

/** The names of the files, with slashes. */
export const filesOf = (extension: string): string[] =>
  [...new Set(readdirSync(DIST, { encoding: "utf8", recursive: true }).map((name) => name.replace(/\.br$/, "")))]
    .filter((name) => name.endsWith(extension))
    .sort();

export const isThere = (name: string): boolean => ["", ".br"].some((ending) => existsSync(join(DIST, name + ending)));

export const pageAt = (name: string): string => brotliDecompressSync(readFileSync(join(DIST, `${name}.br`))).toString();
