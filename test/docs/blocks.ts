// The blocks of code on the pages, for the tests that run them.
import { documentPaths, textAt } from "../house/sources.ts";

export interface Block {
  /** From the repository's root, such as `docs/queries.md`. */
  page: string;
  /** The nearest heading above it. */
  heading: string;
  language: string;
  code: string;
}

/** Without the history of changes, whose entries quote nothing that runs. */
export const pages: readonly string[] = [...documentPaths(), "client/README.md"].filter(
  (path) => path !== "CHANGELOG.md",
);

const FENCE = /^( *)```(\w*)\n([^]*?)^ *```$/gm;

export function blocksOf(page: string): Block[] {
  // A comment of a shell begins like a heading, so blocks are cut out first.
  const text = textAt(page);
  return [...text.matchAll(FENCE)].map(({ 1: indent = "", 2: language = "", 3: code = "", index }) => ({
    page,
    heading: headingBefore(text.slice(0, index)),
    language,
    code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  }));
}

function headingBefore(text: string): string {
  return (
    /^#+ (.+)$/.exec(
      text
        .replaceAll(FENCE, "")
        .match(/^#+ .+$/gm)
        ?.at(-1) ?? "",
    )?.[1] ?? ""
  );
}

export const allBlocks: readonly Block[] = pages.flatMap(blocksOf);

/** Whether a text is what a page shows: "…" on the page stands for what varies, and other lines may come between. */
export function isShown(shown: string, actual: string): boolean {
  const lines = shown.trim().split("\n");
  const pattern = lines.map((line) => line.trim().split("…").map(RegExp.escape).join(".*")).join("[^]*?");
  return new RegExp(pattern).test(actual);
}

/**
 * The page's addresses become those of the test, in one pass: `127.0.0.1:4000` → another host. A port that only begins with the page's, such
 * as 40007, is another one.
 */
export function withHosts(text: string, hosts: Readonly<Record<string, string>>): string {
  const named = new RegExp(
    Object.keys(hosts)
      .map((host) => `${RegExp.escape(host)}\\b`)
      .join("|"),
    "g",
  );
  return text.replaceAll(named, (host) => hosts[host] ?? host);
}
