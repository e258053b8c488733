// Reads the document of a tool: one operation with a description, and the directive @tool for what GraphQL has no place for.
import {
  Kind,
  parse,
  print,
  valueFromASTUntyped,
  visit,
  type DirectiveNode,
  type DocumentNode,
  type OperationDefinitionNode,
} from "graphql";
import { z } from "zod";

export interface ToolDocument {
  /** The name of the tool. */
  name: string;
  title: string;
  description: string;
  /** Null: not stated. */
  destructive: boolean | null;
  idempotent: boolean | null;
  /** What runs: without descriptions and @tool. */
  text: string;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** What the document says of its variables. */
  variableTexts: ReadonlyMap<string, string>;
}

/** The arguments of @tool. */
const toolArguments = z.strictObject({
  name: z.string().optional(),
  title: z.string().min(1).max(100).optional(),
  destructive: z.boolean().optional(),
  idempotent: z.boolean().optional(),
});

const MAX_DESCRIPTION = 2000;
const MAX_TOKENS = 5000;

/** A text says what is wrong, as the end of a sentence that begins with the name of the file. */
export function readToolDocument(source: string): ToolDocument | string {
  let parsed: DocumentNode;
  try {
    parsed = parse(source, { maxTokens: MAX_TOKENS });
  } catch (error) {
    return `is not GraphQL: ${(error as Error).message}`;
  }
  const operations = parsed.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const [operation, second] = operations;
  if (!operation || second) return "must have exactly one operation";
  if (!operation.name) return "must have an operation with a name";
  const description = (operation.description?.value ?? leadingComment(source)).trim();
  if (description === "" || description.length > MAX_DESCRIPTION)
    return `must describe its operation, in ${MAX_DESCRIPTION} characters at most: agents choose a tool by it`;
  const said = readArguments(operation.directives ?? []);
  if (typeof said === "string") return said;
  const name = said.name ?? operation.name.value;
  const document = withoutTexts(parsed);
  return {
    name,
    title: said.title ?? name.replaceAll("_", " "),
    description,
    destructive: said.destructive ?? null,
    idempotent: said.idempotent ?? null,
    text: print(document),
    document,
    operation: document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode,
    variableTexts: new Map(
      (operation.variableDefinitions ?? []).flatMap(({ variable, description: text }) =>
        text ? [[variable.name.value, text.value.trim()] as const] : [],
      ),
    ),
  };
}

function readArguments(directives: readonly DirectiveNode[]): z.output<typeof toolArguments> | string {
  const [directive, second] = directives.filter(({ name }) => name.value === "tool");
  if (second) return "has the directive @tool twice";
  const values = (directive?.arguments ?? []).map(
    ({ name, value }) => [name.value, valueFromASTUntyped(value)] as const,
  );
  const [repeated] = values.filter(([name], at) => values.findIndex(([other]) => other === name) < at);
  if (repeated) return `has the argument ${repeated[0]} of @tool twice`;
  const { data, error } = toolArguments.safeParse(Object.fromEntries(values));
  if (data) return data;
  return `has a directive @tool that cannot be read (${error.issues.map(({ message }) => message).join(", ")}): it takes name, title, destructive and idempotent`;
}

/** For documents of tools that write no description: the lines of comment before everything else. */
function leadingComment(source: string): string {
  const lines = source.trimStart().split(/\r?\n/);
  const end = lines.findIndex((line) => !line.startsWith("#"));
  return lines
    .slice(0, Math.max(0, end))
    .map((line) => line.replace(/^#+ ?/, ""))
    .join("\n");
}

function withoutTexts(document: DocumentNode): DocumentNode {
  return visit(document, {
    OperationDefinition: (node) => ({
      ...node,
      description: undefined,
      directives: (node.directives ?? []).filter(({ name }) => name.value !== "tool"),
    }),
    VariableDefinition: (node) => ({ ...node, description: undefined }),
    FragmentDefinition: (node) => ({ ...node, description: undefined }),
  });
}
