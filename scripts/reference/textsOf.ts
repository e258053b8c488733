// The texts that an expression may have, as far as the sources tell. What varies stands as "…".
import type { SyntaxNode } from "../syntax/tree.ts";
import { find, nameOf, unwrap, type SourceFile } from "./program.ts";

const VARIES = "…";
const MAX_HOPS = 6;
const MAX_CHOICES = 8;

/** Empty: it is not a text of the sources. */
export function textsOf(expression: SyntaxNode, file: SourceFile, hops = 0): string[] {
  const node = unwrap(expression);
  if (hops > MAX_HOPS) return [];
  const inner = (key: string) => textsOf(node[key] as SyntaxNode, file, hops + 1);
  if (node.type === "StringLiteral") return [node["value"] as string];
  if (node.type === "NumericLiteral") return [String(node["value"])];
  if (node.type === "ConditionalExpression") return either(inner("consequent"), inner("alternate"));
  if (node.type === "LogicalExpression") return either(inner("left"), inner("right"));
  if (node.type === "TemplateLiteral") return templateTexts(node, file, hops);
  if (node.type === "BinaryExpression") return binaryTexts(node, file, hops);
  if (node.type === "Identifier") return named("constants", nameOf(node), file, hops);
  if (node.type === "CallExpression") return named("functions", nameOf(node["callee"]), file, hops);
  if (node.type === "MemberExpression") return memberTexts(node, file, hops);
  return [];
}

function named(kind: "constants" | "functions", name: string, file: SourceFile, hops: number): string[] {
  const found = find(kind, name, file);
  if (!found) return [];
  if (kind === "constants") return textsOf(found.node, found.file, hops + 1);
  return either(...returned(found.node).map((node) => textsOf(node, found.file, hops + 1)));
}

/** A choice of which nothing is known varies, if something is known of another. */
function either(...choices: string[][]): string[] {
  if (choices.every((texts) => texts.length === 0)) return [];
  return choices.flatMap((texts) => (texts.length === 0 ? [VARIES] : texts));
}

/** The expressions that a function returns. */
function returned(node: SyntaxNode): SyntaxNode[] {
  const body = node["body"] as SyntaxNode;
  if (body.type !== "BlockStatement") return [body];
  const found: SyntaxNode[] = [];
  const look = (each: SyntaxNode) => {
    if (each.type === "ReturnStatement" && each["argument"]) found.push(each["argument"] as SyntaxNode);
    if (each.type === "BlockStatement") (each["body"] as SyntaxNode[]).forEach(look);
    if (each.type !== "IfStatement") return;
    for (const branch of [each["consequent"], each["alternate"]]) if (branch) look(branch as SyntaxNode);
  };
  look(body);
  return found;
}

/** Every combination of what its parts may be. */
function templateTexts(node: SyntaxNode, file: SourceFile, hops: number): string[] {
  const quasis = (node["quasis"] as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
  return (node["expressions"] as SyntaxNode[]).reduce(
    (texts, expression, at) => combine(texts, partsOf(expression, file, hops), quasis[at + 1] ?? ""),
    [quasis[0] ?? ""],
  );
}

function binaryTexts(node: SyntaxNode, file: SourceFile, hops: number): string[] {
  const [left, right] = [node["left"], node["right"]].map((side) => textsOf(side as SyntaxNode, file, hops + 1));
  const [a, b] = [Number(left?.[0]), Number(right?.[0])];
  if (node["operator"] === "*" && !Number.isNaN(a * b)) return [String(a * b)];
  if (node["operator"] === "/" && !Number.isNaN(a / b)) return [String(a / b)];
  return node["operator"] === "+" && left?.length && right?.length ? combine(left, right, "") : [];
}

/** Too many choices are shown as one. */
function partsOf(expression: SyntaxNode, file: SourceFile, hops: number): string[] {
  const texts = textsOf(expression, file, hops + 1);
  return texts.length === 0 || texts.length > MAX_CHOICES ? [VARIES] : texts;
}

const combine = (texts: string[], parts: string[], end: string) =>
  texts.flatMap((text) => parts.map((part) => `${text}${part}${end}`));

/** A member of an object of the sources; all of them if its name varies. */
function memberTexts(node: SyntaxNode, file: SourceFile, hops: number): string[] {
  const found = find("constants", nameOf(node["object"]), file);
  if (found?.node.type !== "ObjectExpression") return [];
  const properties = (found.node["properties"] as SyntaxNode[]).filter(({ type }) => type === "ObjectProperty");
  const wanted = node["computed"] === true ? null : nameOf(node["property"]);
  return properties
    .filter((property) => wanted === null || nameOf(property["key"]) === wanted)
    .flatMap((property) => textsOf(property["value"] as SyntaxNode, found.file, hops + 1));
}
