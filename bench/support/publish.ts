// Writes results into a document, between two markers, with charts beside it. No figure is copied by hand.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Report {
  /** The name of the markers and of the charts. */
  name: string;
  markdown: string;
  /** SVG by the file's name. */
  charts: Readonly<Record<string, string>>;
}

const DOCS = fileURLToPath(new URL("../../docs", import.meta.url));

/** `file`: a document of docs/. */
export async function publish({ name, markdown, charts }: Report, file = "performance.md"): Promise<void> {
  const document = join(DOCS, file);
  await writeFile(document, withSection(await readFile(document, "utf8"), name, markdown));
  await mkdir(join(DOCS, "charts"), { recursive: true });
  for (const [file, svg] of Object.entries(charts)) await writeFile(join(DOCS, "charts", file), svg);
}

/** Throws if the document lacks the markers of this name. */
export function withSection(document: string, name: string, markdown: string): string {
  const [begin, end] = [`<!-- measured: ${name} -->\n`, `<!-- end: ${name} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`the document has no place for ${name}`);
  return `${document.slice(0, from + begin.length)}\n${markdown.trim()}\n\n${document.slice(to)}`;
}

/** A Markdown table; the first row is its head. */
export function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((row) => `| ${row.map((cell) => cell.trim()).join(" | ")} |`).join("\n");
}
