// A document of the package names files of the repository that the package has not, such as tests. Their links become plain text.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Rewrites a document of a folder. */
export function unlinkMissing(folder: string, path: string): void {
  const isThere = (target: string) =>
    /^(#|[a-z]+:)/.test(target) || existsSync(join(folder, dirname(path), fileOf(target)));
  const text = readFileSync(join(folder, path), "utf8");
  const rewritten = text.replaceAll(/(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g, (link, words: string, target: string) =>
    isThere(target) ? link : words,
  );
  writeFileSync(join(folder, path), rewritten);
}

const fileOf = (target: string) => target.split("#", 1)[0] ?? "";
