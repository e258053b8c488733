// Finds the texts that people read in a source file: comments, messages and descriptions, and titles of tests.
import { parseSource, rootName, visit, type Comment, type SyntaxNode } from "../syntax/tree.ts";

export interface Text {
  kind: "comment" | "message" | "title";
  /** The number of its first line, from 1. */
  line: number;
  /** Comments come without their `//` and `*`; `${…}` in a template stands as `X`. */
  text: string;
}

const TITLED = new Set(["describe", "it", "test"]);

/** `jsx`: the source is a .tsx file. */
export function findTexts(source: string, jsx = false): Text[] {
  const { program, comments } = parseSource(source, jsx);
  const texts = commentsOf(comments);
  visit(program, (node) => {
    const line = node.loc.start.line;
    const text = literalText(node);
    if (text !== null && isSentence(text)) texts.push({ kind: "message", line, text });
    const title = titleOf(node);
    if (title !== null) texts.push({ kind: "title", line, text: title });
  });
  return texts.sort((a, b) => a.line - b.line);
}

/** Line comments that follow each other are one text. */
function commentsOf(comments: readonly Comment[]): Text[] {
  const texts: Text[] = [];
  let last: Comment | null = null;
  for (const comment of comments) {
    const isNext = last?.type === "CommentLine" && comment.loc.start.line === last.loc.end.line + 1;
    const text = comment.value.replaceAll(/^[ \t]*\*? ?/gm, "").trim();
    const previous = texts.at(-1);
    if (isNext && comment.type === "CommentLine" && previous) previous.text += `\n${text}`;
    else texts.push({ kind: "comment", line: comment.loc.start.line, text });
    last = comment;
  }
  return texts;
}

/** The text of a string or a template; null for any other node. */
function literalText(node: SyntaxNode): string | null {
  if (node.type === "StringLiteral") return node["value"] as string;
  if (node.type !== "TemplateLiteral") return null;
  return (node["quasis"] as { value: { cooked?: string } }[]).map(({ value }) => value.cooked ?? "").join("X");
}

/** A message or a description, and no name, path or statement of SQL. */
function isSentence(text: string): boolean {
  return /^[A-Z`][^\n]*[a-z] [^]*[.?!]$/.test(text.trim());
}

/** The title of a test or of a group of tests: `it("…")`, `it.each(…)("…")`. */
function titleOf(node: SyntaxNode): string | null {
  if (node.type !== "CallExpression") return null;
  const [first] = node["arguments"] as SyntaxNode[];
  if (!first || !TITLED.has(rootName(node["callee"] as SyntaxNode))) return null;
  return literalText(first);
}
