// Finds the texts that people read in a source file: comments, messages and descriptions, and titles of tests.
import { parse } from "@babel/parser";

export interface Text {
  kind: "comment" | "message" | "title";
  /** Of its first line, from 1. */
  line: number;
  /** Comments come without their `//` and `*`; `${…}` in a template stands as `X`. */
  text: string;
}

interface SyntaxNode {
  type: string;
  loc: { start: { line: number }; end: { line: number } };
  [key: string]: unknown;
}

interface Comment extends SyntaxNode {
  value: string;
}

const TEST_FUNCTIONS = new Set(["describe", "it", "test"]);

export function findTexts(source: string): Text[] {
  const file = parse(source, { sourceType: "module", plugins: ["typescript"], attachComment: false });
  const texts = commentsOf(file.comments as unknown as Comment[]);
  visit(file.program as unknown as SyntaxNode, (node) => {
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
  if (!first || !TEST_FUNCTIONS.has(rootName(node["callee"] as SyntaxNode))) return null;
  return literalText(first);
}

function rootName(node: SyntaxNode): string {
  if (node.type === "Identifier") return node["name"] as string;
  if (node.type === "MemberExpression") return rootName(node["object"] as SyntaxNode);
  return node.type === "CallExpression" ? rootName(node["callee"] as SyntaxNode) : "";
}

function visit(node: SyntaxNode, each: (node: SyntaxNode) => void): void {
  each(node);
  for (const [key, value] of Object.entries(node)) {
    if (key === "loc") continue;
    for (const child of [value].flat()) if (isNode(child)) visit(child, each);
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof (value as SyntaxNode).type === "string";
}
