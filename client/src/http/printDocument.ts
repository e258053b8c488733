// The text of a document. Prints operations and fragments of a syntax tree; graphql's own printer is larger and would be a
// dependency. Strings lose their block form and descriptions are left out, which changes no meaning.
interface AstNode {
  kind: string;
  name?: AstNode;
  alias?: AstNode;
  value?: unknown;
  type?: AstNode;
  values?: readonly AstNode[];
  fields?: readonly AstNode[];
  definitions?: readonly AstNode[];
  selections?: readonly AstNode[];
  arguments?: readonly AstNode[];
  directives?: readonly AstNode[];
  variableDefinitions?: readonly AstNode[];
  selectionSet?: AstNode;
  operation?: string;
  variable?: AstNode;
  defaultValue?: AstNode;
  typeCondition?: AstNode;
}

/** `document`: any Document of types.ts. */
export function textOf(document: string | object): string {
  if (typeof document === "object" && "definitions" in document) return print(document as AstNode);
  return (document as { toString(): string }).toString();
}

function print(node: AstNode | undefined): string {
  if (!node) return "";
  const { kind } = node;
  const name = print(node.name);
  const value = node.value as AstNode;
  switch (kind) {
    case "Document":
      return list(node.definitions, "\n");
    case "OperationDefinition":
      return `${node.operation} ${name}${group("(", node.variableDefinitions, ")")}${directives(node)}${print(node.selectionSet)}`;
    case "FragmentDefinition":
      return `fragment ${name} on ${print(node.typeCondition)}${directives(node)}${print(node.selectionSet)}`;
    case "VariableDefinition": {
      const preset = node.defaultValue ? ` = ${print(node.defaultValue)}` : "";
      return `${print(node.variable)}: ${print(node.type)}${preset}${directives(node)}`;
    }
    case "SelectionSet":
      return ` { ${list(node.selections)} }`;
    case "Field": {
      const alias = node.alias ? `${print(node.alias)}: ` : "";
      return `${alias}${name}${group("(", node.arguments, ")")}${directives(node)}${print(node.selectionSet)}`;
    }
    case "FragmentSpread":
      return `...${name}${directives(node)}`;
    case "InlineFragment": {
      const condition = node.typeCondition ? ` on ${print(node.typeCondition)}` : "";
      return `...${condition}${directives(node)}${print(node.selectionSet)}`;
    }
    case "Directive":
      return `@${name}${group("(", node.arguments, ")")}`;
    case "Argument":
    case "ObjectField":
      return `${name}: ${print(value)}`;
    case "NamedType":
      return name;
    case "ListType":
      return `[${print(node.type)}]`;
    case "NonNullType":
      return `${print(node.type)}!`;
    case "Variable":
      return `$${name}`;
    case "ListValue":
      return `[${list(node.values)}]`;
    case "ObjectValue":
      return `{ ${list(node.fields)} }`;
    case "StringValue":
      return JSON.stringify(node.value);
    case "NullValue":
      return "null";
    default:
      return String(node.value);
  }
}

function list(nodes: readonly AstNode[] = [], separator = " "): string {
  return nodes.map(print).join(separator);
}

function group(open: string, nodes: readonly AstNode[] = [], close: string): string {
  return nodes.length > 0 ? `${open}${list(nodes)}${close}` : "";
}

function directives(node: AstNode): string {
  return node.directives?.length ? ` ${list(node.directives)}` : "";
}
