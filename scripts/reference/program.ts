// The sources of the gateway as syntax trees, with what their names stand for.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { parseSource, visit, type SyntaxNode } from "../syntax/tree.ts";

export interface SourceFile {
  path: string;
  program: SyntaxNode;
  /** The values of its constants, wherever they stand. */
  constants: Map<string, SyntaxNode>;
  functions: Map<string, SyntaxNode>;
  /** The name of an imported value → where it comes from. */
  imports: Map<string, { path: string; name: string }>;
}

export const files: ReadonlyMap<string, SourceFile> = new Map(
  globSync("src/**/*.ts", { cwd: new URL("../..", import.meta.url) })
    .map(String)
    .sort()
    .map((path) => [path, readFile(path)]),
);

function readFile(path: string): SourceFile {
  const { program } = parseSource(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
  const file: SourceFile = { path, program, constants: new Map(), functions: new Map(), imports: new Map() };
  visit(program, (node) => {
    if (node.type === "ImportDeclaration") addImports(file, node);
    if (node.type === "FunctionDeclaration" && node["id"]) file.functions.set(nameOf(node["id"]), node);
    if (node.type !== "VariableDeclarator" || !node["init"]) return;
    const init = node["init"] as SyntaxNode;
    if (init.type === "ArrowFunctionExpression") file.functions.set(nameOf(node["id"]), init);
    else file.constants.set(nameOf(node["id"]), unwrap(init));
  });
  return file;
}

function addImports(file: SourceFile, node: SyntaxNode): void {
  const source = (node["source"] as SyntaxNode)["value"] as string;
  if (!source.startsWith(".")) return;
  const path = join(dirname(file.path), source);
  for (const each of node["specifiers"] as SyntaxNode[])
    if (each.type === "ImportSpecifier")
      file.imports.set(nameOf(each["local"]), { path, name: nameOf(each["imported"]) });
}

export function nameOf(node: unknown): string {
  const name = (node as SyntaxNode | null)?.["name"];
  return typeof name === "string" ? name : "";
}

/** Without `as const` and the like. */
export function unwrap(node: SyntaxNode): SyntaxNode {
  return /^TS(?:As|Satisfies|NonNull)Expression$/.test(node.type) ? unwrap(node["expression"] as SyntaxNode) : node;
}

/** The value of a name, with the file that it stands in. */
export function find(
  kind: "constants" | "functions",
  name: string,
  file: SourceFile,
): { node: SyntaxNode; file: SourceFile } | null {
  const own = file[kind].get(name);
  if (own) return { node: own, file };
  const imported = file.imports.get(name);
  const from = imported && files.get(imported.path);
  return from ? find(kind, imported.name, from) : null;
}
