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
  const { kind, value } = node;
  const name = print(node.name);
  const type = print(node.type);
  const on = prefixed("on ", node.typeCondition);
  const args = list(node.arguments, "(", ")");
  const rest = list(node.directives, " ") + prefixed(" ", node.selectionSet);
  switch (kind) {
    case "Document":
      return list(node.definitions);
    case "OperationDefinition":
      return `${node.operation} ${name}${list(node.variableDefinitions, "(", ")")}${rest}`;
    case "FragmentDefinition":
      return `fragment ${name} ${on}${rest}`;
    case "VariableDefinition":
      return `${print(node.variable)}: ${type}${prefixed(" = ", node.defaultValue)}${rest}`;
    case "SelectionSet":
      return list(node.selections, "{ ", " }");
    case "Field":
      return `${node.alias ? `${print(node.alias)}: ` : ""}${name}${args}${rest}`;
    case "FragmentSpread":
      return `...${name}${rest}`;
    case "InlineFragment":
      return `... ${on}${rest}`;
    case "Directive":
      return `@${name}${args}`;
    case "Argument":
    case "ObjectField":
      return `${name}: ${print(value as AstNode)}`;
    case "NamedType":
      return name;
    case "ListType":
      return `[${type}]`;
    case "NonNullType":
      return `${type}!`;
    case "Variable":
      return `$${name}`;
    case "ListValue":
      return `[${list(node.values)}]`;
    case "ObjectValue":
      return `{ ${list(node.fields)} }`;
    case "NullValue":
      return "null";
    case "StringValue":
      return JSON.stringify(value);
    default:
      return String(value);
  }
}

function prefixed(prefix: string, node: AstNode | undefined): string {
  return node ? prefix + print(node) : "";
}

/** An empty list leaves nothing, not even its brackets. */
function list(nodes: readonly AstNode[] = [], open = "", close = ""): string {
  return nodes.length > 0 ? open + nodes.map(print).join(" ") + close : "";
}
