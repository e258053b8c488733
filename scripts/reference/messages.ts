// The messages that clients may get, by their code, as the sources make them.
import { visit, type SyntaxNode } from "../syntax/tree.ts";
import { files, find, nameOf, type SourceFile } from "./program.ts";
import { textsOf } from "./textsOf.ts";

/** A function that makes an error: its code, and which argument is the message. */
interface Maker {
  /** Null: the first argument is the code. */
  code: string | null;
  message: number;
  /** Which argument holds the HTTP status. */
  hint?: number;
  status?: string | undefined;
}

interface Made {
  code: string;
  message: SyntaxNode;
  status: string | undefined;
}

const FIRST_MAKERS: [string, Maker][] = [
  ["CodedError", { code: null, message: 1 }],
  ["requestError", { code: null, message: 1, hint: 2 }],
];

/** Code → messages with the HTTP statuses of their answers, sorted. No status: it is an error of a field. */
export function findMessages(): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>();
  const add = (code: string, texts: readonly string[], status = "") => {
    const all = found.get(code) ?? new Map<string, string>();
    for (const text of texts) if (/[a-z]{2}/.test(text)) all.set(text, status || (all.get(text) ?? ""));
    found.set(code, all);
  };
  const makers = findMakers();
  for (const file of files.values()) {
    visit(file.program, (node) => {
      const made = errorOf(node, makers, file) ?? refusalOf(node, file);
      if (made) add(made.code, textsOf(made.message, file), made.status);
    });
  }
  for (const [code, paths] of Object.entries(RULES)) for (const path of paths) add(code, rulesIn(path));
  return new Map([...found].map(([code, texts]) => [code, withoutRepeats(texts)]));
}

/** Leaves out what another message says with "…" in its place. */
function withoutRepeats(texts: ReadonlyMap<string, string>): Map<string, string> {
  const patterns = [...texts.keys()]
    .filter((text) => /^[^…]+…/.test(text))
    .map((text) => ({ text, pattern: new RegExp(`^${text.split("…").map(RegExp.escape).join(".+")}$`) }));
  const isRepeat = (text: string) => patterns.some((other) => other.text !== text && other.pattern.test(text));
  return new Map([...texts].filter(([text]) => !isRepeat(text)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `badInput(message)` makes an error with a code of its own. */
function findMakers(): Map<string, Maker> {
  const makers = new Map(FIRST_MAKERS);
  const functions = [...files.values()].flatMap((file) => [...file.functions].map((named) => ({ named, file })));
  for (let before = -1; before !== makers.size;) {
    before = makers.size;
    for (const { named, file } of functions) {
      const [name, node] = named;
      const maker = makerOf(node, makers, file);
      if (maker && !makers.has(name)) makers.set(name, maker);
    }
  }
  return makers;
}

function makerOf(node: SyntaxNode, makers: ReadonlyMap<string, Maker>, file: SourceFile): Maker | null {
  const parameters = (node["params"] as SyntaxNode[]).map(nameOf);
  let maker: Maker | null = null;
  visit(node["body"] as SyntaxNode, (inner) => {
    const error = errorOf(inner, makers, file);
    const message = error?.message.type === "Identifier" ? parameters.indexOf(nameOf(error.message)) : -1;
    if (error && message >= 0) maker ??= { code: error.code, message, status: error.status };
  });
  return maker;
}

function errorOf(node: SyntaxNode, makers: ReadonlyMap<string, Maker>, file: SourceFile): Made | null {
  if (node.type !== "NewExpression" && node.type !== "CallExpression") return null;
  const callee = node["callee"] as SyntaxNode;
  // Also of an object: protocolErrors.tooComplex(…).
  const maker = makers.get(callee.type === "MemberExpression" ? nameOf(callee["property"]) : nameOf(callee));
  const given = node["arguments"] as SyntaxNode[];
  const message = maker && given[maker.message];
  const code = maker?.code ?? (given[0]?.type === "StringLiteral" ? String(given[0]["value"]) : null);
  if (!maker || !message || code === null) return null;
  return { code, message, status: maker.status ?? statusIn(given[maker.hint ?? given.length], file) };
}

/** An object with a code and a message: a refusal of the server, or an outcome of createTask. */
function refusalOf(node: SyntaxNode, file: SourceFile): Made | null {
  const members = membersOf(node);
  const [code, message] = [members.get("code"), members.get("message")];
  if (code?.type !== "StringLiteral" || !message) return null;
  return { code: String(code["value"]), message, status: statusIn(node, file) };
}

function statusIn(node: SyntaxNode | undefined, file: SourceFile): string | undefined {
  const object = node?.type === "Identifier" ? find("constants", nameOf(node), file)?.node : node;
  const status = object && membersOf(object).get("status");
  return status?.type === "NumericLiteral" ? String(status["value"]) : undefined;
}

function membersOf(node: SyntaxNode): Map<string, SyntaxNode> {
  const properties = node.type === "ObjectExpression" ? (node["properties"] as SyntaxNode[]) : [];
  return new Map(properties.map((property) => [nameOf(property["key"]), property["value"] as SyntaxNode]));
}

/** Messages that stand behind the name of a member of createTask's input. */
const RULES: Readonly<Record<string, readonly string[]>> = {
  INVALID_INPUT: ["src/tasks/validateCreateTask.ts", "src/tasks/taskNumbers.ts", "src/format/readPhone.ts"],
  NOT_ALLOWED: ["src/tasks/allowedTask.ts"],
  DO_NOT_CALL: ["src/tasks/doNotCallList.ts"],
};
const RULE = /^(?:must|is|has|holds) /;

function rulesIn(path: string): string[] {
  const file = files.get(path) as SourceFile;
  const texts: string[] = [];
  visit(file.program, (node) => {
    if (node.type === "StringLiteral" || node.type === "TemplateLiteral") texts.push(...textsOf(node, file));
  });
  return texts.filter((text) => RULE.test(text));
}
