// Finds the mutants of a source file: small changes of its behaviour that some test should notice.
import { parseSource, walk, type SyntaxNode } from "./syntax.ts";

export interface Mutant {
  /** Relative to the repository. */
  file: string;
  /** Counted from 1. */
  line: number;
  /** The line as it stands, without the blanks around it. */
  code: string;
  /** What is changed, such as `<= to <`. */
  change: string;
  /** Number of the function around it, as `walk` counts; null at the top level. */
  functionIndex: number | null;
  /** The text from `start` to `end` becomes `replacement`. */
  start: number;
  end: number;
  replacement: string;
}

type Edit = Pick<Mutant, "start" | "end" | "replacement" | "change">;

const OPERATORS: Record<string, string> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "==": "!=",
  "!=": "==",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "&&": "||",
  "||": "&&",
};

export function findMutants(file: string, text: string): Mutant[] {
  const lines = text.split("\n");
  const mutants: Mutant[] = [];
  walk(parseSource(text), (node, functionIndex) => {
    const { line } = node.loc.start;
    const code = (lines[line - 1] ?? "").trim();
    for (const edit of editsOf(node, text)) mutants.push({ file, line, code, functionIndex, ...edit });
  });
  return mutants;
}

export function applyMutant(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

function editsOf(node: SyntaxNode, text: string): Edit[] {
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression":
      return operatorEdits(node, text);
    case "IfStatement":
      return [withTest(node, text, "|| Boolean(1)"), withTest(node, text, "&& Boolean(0)")];
    case "WhileStatement":
      return [withTest(node, text, "&& Boolean(0)")];
    case "ConditionalExpression": {
      const test = node["test"] as SyntaxNode;
      return [{ ...spanOf(test), replacement: `!(${textOf(test, text)})`, change: "condition negated" }];
    }
    case "UnaryExpression": {
      if (node["operator"] !== "!") return [];
      return [{ ...spanOf(node), replacement: `(${textOf(argumentOf(node), text)})`, change: "! left out" }];
    }
    case "BooleanLiteral": {
      const flipped = String(!node["value"]);
      return [{ ...spanOf(node), replacement: flipped, change: `${String(node["value"])} to ${flipped}` }];
    }
    case "NumericLiteral": {
      const value = node["value"];
      if (value !== 0 && value !== 1) return [];
      return [{ ...spanOf(node), replacement: String(1 - value), change: `${value} to ${1 - value}` }];
    }
    case "ExpressionStatement":
      return isStep(node["expression"] as SyntaxNode)
        ? [{ ...spanOf(node), replacement: ";", change: "statement left out" }]
        : [];
    case "ReturnStatement":
      return node["argument"] ? undefinedFor(argumentOf(node), text) : [];
    case "SpreadElement":
      return [{ ...spanOf(argumentOf(node)), replacement: "[]", change: "spread of nothing" }];
    default:
      return [];
  }
}

function operatorEdits(node: SyntaxNode, text: string): Edit[] {
  const operator = node["operator"] as string;
  const left = node["left"] as SyntaxNode;
  const right = node["right"] as SyntaxNode;
  if (operator === "??") return [{ start: left.end, end: node.end, replacement: "", change: "?? left out" }];
  const other = OPERATORS[operator];
  if (other === undefined || (operator === "+" && (isText(left) || isText(right)))) return [];
  const start = text.indexOf(operator, left.end);
  return [{ start, end: start + operator.length, replacement: other, change: `${operator} to ${other}` }];
}

/** Written so that the type check still narrows types by the test, and takes no code for unreachable. */
function withTest(node: SyntaxNode, text: string, addition: "|| Boolean(1)" | "&& Boolean(0)"): Edit {
  const test = node["test"] as SyntaxNode;
  const change = addition === "|| Boolean(1)" ? "condition always true" : "condition always false";
  return { ...spanOf(test), replacement: `(${textOf(test, text)}) ${addition}`, change };
}

function undefinedFor(node: SyntaxNode, text: string): Edit[] {
  if (textOf(node, text) === "undefined") return [];
  return [{ ...spanOf(node), replacement: "undefined as never", change: "undefined in place of the result" }];
}

function isStep(expression: SyntaxNode): boolean {
  const inner = expression.type === "AwaitExpression" ? argumentOf(expression) : expression;
  if (inner.type === "CallExpression") return (inner["callee"] as SyntaxNode).type !== "Super";
  return inner.type === "AssignmentExpression" || inner.type === "OptionalCallExpression";
}

const isText = ({ type }: SyntaxNode): boolean => type === "StringLiteral" || type === "TemplateLiteral";
const argumentOf = (node: SyntaxNode): SyntaxNode => node["argument"] as SyntaxNode;
const spanOf = ({ start, end }: SyntaxNode) => ({ start, end });
const textOf = ({ start, end }: SyntaxNode, text: string): string => text.slice(start, end);
