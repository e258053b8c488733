// Writes the parts of a page in Markdown.
import { readFileSync } from "node:fs";

export const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** A table without rows is empty. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

const cell = (text: string) => (text === "" ? "–" : text.replaceAll("\n", " ").replaceAll("|", "\\|"));

export const code = (text: string) => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``);

/** Joins the parts that are not empty. */
export const page = (...parts: readonly string[]) => `${parts.filter((part) => part !== "").join("\n\n")}\n`;

/** The first lines of a page that is made from the code. */
export const head = (title: string, what: string) =>
  page(`# ${title}`, `${what} Made from the code of version ${version} (\`npm run schema\`).`).trimEnd();
