// Finds tests without a direct assertion.
import { parseSource, rootName, visit, type SyntaxNode } from "../syntax/tree.ts";

const TEST_FUNCTIONS = new Set(["it", "test"]);
const ASSERTION = /^(expect|assert)/;

/**
 * The lines of the tests, from 1, that call no function whose name begins with `expect` or `assert`. A test may call it in a
 * helper of the same file; an imported helper must itself have such a name.
 */
export function findUnasserted(source: string): number[] {
  const { program } = parseSource(source);
  const helpers = helpersIn(program);
  const lines: number[] = [];
  visit(program, (node) => {
    const body = bodyOf(node);
    if (body !== null && !asserts(body, helpers, new Set())) lines.push(node.loc.start.line);
  });
  return lines;
}

/** Functions and constants by name. */
function helpersIn(program: SyntaxNode): Map<string, SyntaxNode> {
  const helpers = new Map<string, SyntaxNode>();
  visit(program, (node) => {
    if (node.type !== "FunctionDeclaration" && node.type !== "VariableDeclarator") return;
    const id = node["id"] as SyntaxNode;
    if (id.type === "Identifier") helpers.set(id["name"] as string, node);
  });
  return helpers;
}

/** The body of `it("…", body)` and of `it.each(…)("…", body)`; null for any other node. */
function bodyOf(node: SyntaxNode): SyntaxNode | null {
  if (node.type !== "CallExpression" || !TEST_FUNCTIONS.has(rootName(node["callee"] as SyntaxNode))) return null;
  const [title, ...others] = node["arguments"] as SyntaxNode[];
  const isTitle = title?.type === "StringLiteral" || title?.type === "TemplateLiteral";
  // Options may come before the body, and a time limit behind it.
  return isTitle ? (others.find(({ type }) => !/^(Object|Numeric)/.test(type)) ?? null) : null;
}

function asserts(body: SyntaxNode, helpers: ReadonlyMap<string, SyntaxNode>, visited: Set<SyntaxNode>): boolean {
  if (visited.has(body)) return false;
  visited.add(body);
  let found = false;
  visit(body, (node) => {
    const callee = node.type === "CallExpression" ? (node["callee"] as SyntaxNode) : node === body ? body : null;
    if (found || callee === null) return;
    const name = nameOf(callee);
    const helper = callee.type === "Identifier" ? helpers.get(name) : undefined;
    found = ASSERTION.test(name) || (helper !== undefined && asserts(helper, helpers, visited));
  });
  return found;
}

/** `check` for `check` and for `helpers.check`; empty for other nodes. */
function nameOf({ type, name, property }: SyntaxNode): string {
  if (type === "Identifier") return name as string;
  return type === "MemberExpression" ? nameOf(property as SyntaxNode) : "";
}
