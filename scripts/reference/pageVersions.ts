// The pages that people write say for which version: "Written for version 1.2.3." It follows package.json.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { version } from "./markdown.ts";

const ROOT = new URL("../../", import.meta.url);
const SENTENCE = /(Written for version )\d+\.\d+\.\d+(?:-[\w.]+[\w])?/g;

/** The paths of the pages that name another version. `write`: corrects them. */
export function findOldVersions(write: boolean): string[] {
  return globSync("docs/**/*.md", { cwd: ROOT })
    .map(String)
    .filter((path) => {
      const text = readFileSync(new URL(path, ROOT), "utf8");
      const current = text.replaceAll(SENTENCE, `$1${version}`);
      if (write && current !== text) writeFileSync(new URL(path, ROOT), current);
      return current !== text;
    });
}
