// What the built console was built from. Plain JavaScript, as bin/start.js is, which runs this at each start.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const DIST = fileURLToPath(new URL("../dist", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = [
  "console/src",
  "console/build",
  "console/index.html",
  "console/vite.config.ts",
  "console/package.json",
  "client/src",
  // The readers of phone numbers and tables.
  "src/format",
];
/** In dist: the digest of the sources. */
export const DIGEST_FILE = "sources.txt";

const byCodeUnit = (a, b) => (a < b ? -1 : 1);

/** A digest of every source file. */
export function digestOfSources() {
  const hash = createHash("sha256");
  for (const source of SOURCES) {
    const path = join(ROOT, source);
    const files = statSync(path).isDirectory()
      ? readdirSync(path, { encoding: "utf8", recursive: true }).toSorted(byCodeUnit)
      : [""];
    for (const file of files) {
      const each = join(path, file);
      if (statSync(each).isFile()) hash.update(`${source}/${file}\n`).update(readFileSync(each));
    }
  }
  return hash.digest("hex");
}

/** Whether the built console fits its sources. A package has the built console without them. */
export function isBuilt() {
  if (!existsSync(join(ROOT, "console/src"))) return existsSync(join(DIST, DIGEST_FILE));
  try {
    return readFileSync(join(DIST, DIGEST_FILE), "utf8") === digestOfSources();
  } catch {
    return false;
  }
}
