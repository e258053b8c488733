// Reads TypeScript sources as syntax trees, for the checks of scripts/.
import { parse } from "@babel/parser";

export interface SyntaxNode {
  type: string;
  loc: { start: { line: number }; end: { line: number } };
  [key: string]: unknown;
}

export interface Comment extends SyntaxNode {
  value: string;
}

/** `jsx`: the source is a .tsx file. */
export function parseSource(source: string, jsx = false): { program: SyntaxNode; comments: readonly Comment[] } {
  const file = parse(source, {
    sourceType: "module",
    plugins: jsx ? ["typescript", "jsx"] : ["typescript"],
    attachComment: false,
  });
  return { program: file.program as unknown as SyntaxNode, comments: file.comments as unknown as Comment[] };
}

/** The first name of a chain of members and calls: `it` in `it.each(rows)("title", body)`. */
export function rootName(node: SyntaxNode): string {
  if (node.type === "Identifier") return node["name"] as string;
  if (node.type === "MemberExpression") return rootName(node["object"] as SyntaxNode);
  return node.type === "CallExpression" ? rootName(node["callee"] as SyntaxNode) : "";
}

/** Calls `each` for the node and for all nodes inside it. */
export function visit(node: SyntaxNode, each: (node: SyntaxNode) => void): void {
  each(node);
  for (const [key, value] of Object.entries(node)) {
    if (key === "loc") continue;
    for (const child of [value].flat()) if (isNode(child)) visit(child, each);
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof (value as SyntaxNode).type === "string";
}
