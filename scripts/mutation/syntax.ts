// Parses a source file and walks the part of its syntax tree that runs; types are left out.
import { parse } from "@babel/parser";

/** A node of the syntax tree. `start` and `end` are offsets in the text. */
export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  loc: { start: { line: number } };
  [key: string]: unknown;
}

/** Nodes that TypeScript adds around an expression which does run. */
const WRAPPERS = new Set(["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"]);
const FUNCTIONS = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "ObjectMethod",
  "ClassMethod",
]);

export const isFunction = (node: SyntaxNode): boolean => FUNCTIONS.has(node.type);

export function parseSource(text: string): SyntaxNode {
  const { program } = parse(text, {
    sourceType: "module",
    plugins: ["typescript"],
    createParenthesizedExpressions: true,
  });
  return program as unknown as SyntaxNode;
}

/**
 * Visits each node that runs, outer nodes first. `functionIndex` is the number of the innermost function around the node,
 * counted from 0 in the order of the text; null outside of all functions. A function belongs to the function around it.
 */
export function walk(program: SyntaxNode, visit: (node: SyntaxNode, functionIndex: number | null) => void): void {
  let functions = 0;
  function enter(node: SyntaxNode, functionIndex: number | null): void {
    if (node.type === "ImportDeclaration" || (node.type.startsWith("TS") && !WRAPPERS.has(node.type))) return;
    visit(node, functionIndex);
    const inner = isFunction(node) ? functions++ : functionIndex;
    for (const child of childrenOf(node)) enter(child, inner);
  }
  enter(program, null);
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.entries(node)
    .filter(([key]) => key !== "loc" && !key.endsWith("omments"))
    .flatMap(([, value]) => value)
    .filter(isNode)
    .sort((a, b) => a.start - b.start);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof (value as SyntaxNode).type === "string";
}
