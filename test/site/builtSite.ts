// The built documentation, and its pages as text.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { buildSite } from "../../site/build/buildSite.ts";
import { DIST, isBuilt } from "../../site/build/sources.js";

/** Builds the documentation where its sources are newer, as `npm start` does with DOCS=on. */
export async function ensureBuilt(): Promise<void> {
  if (!isBuilt()) await buildSite();
}

/** The names of the files, with slashes. */
export const filesOf = (extension: string): string[] =>
  readdirSync(DIST, { encoding: "utf8", recursive: true })
    .filter((name) => name.endsWith(extension))
    .sort();

export const pageAt = (name: string): string => readFileSync(join(DIST, name), "utf8");
