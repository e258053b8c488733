// What clients may read of a message of graphql-js. Values never: a rejected variable may be a phone number. With introspection
// the names of the graph and of the document stay, and suggestions too; without it nothing that tells of the graph.
import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  type ASTNode,
  type GraphQLSchema,
} from "graphql";

/** The names of types, fields, arguments, enum values and directives. */
export function namesOf(schema: GraphQLSchema): Set<string> {
  const names = new Set<string>();
  for (const directive of schema.getDirectives())
    addFields(names, [{ name: `@${directive.name}`, args: directive.args }]);
  for (const type of Object.values(schema.getTypeMap())) {
    names.add(type.name);
    if (isObjectType(type) || isInterfaceType(type)) addFields(names, Object.values(type.getFields()));
    if (isInputObjectType(type)) addFields(names, Object.values(type.getFields()));
    if (isEnumType(type)) addFields(names, type.getValues());
  }
  return names;
}

interface Member {
  name: string;
  args?: readonly { name: string }[];
}

function addFields(names: Set<string>, members: readonly Member[]): void {
  for (const { name, args = [] } of members) {
    names.add(name);
    for (const arg of args) names.add(arg.name);
  }
}

/** Names that a document gives or uses, as messages quote them. Values of enums and members of objects are input. */
export function namesIn(nodes: readonly ASTNode[] | undefined): string[] {
  return (nodes ?? []).flatMap((node) => {
    if (node.kind === Kind.NAME) return node.value;
    if (node.kind === Kind.VARIABLE) return `$${node.name.value}`;
    if (node.kind === Kind.VARIABLE_DEFINITION) return `$${node.variable.name.value}`;
    if (node.kind === Kind.DIRECTIVE) return `@${node.name.value}`;
    if (node.kind === Kind.FIELD) return node.alias ? [node.name.value, node.alias.value] : node.name.value;
    const named =
      node.kind === Kind.ARGUMENT ||
      node.kind === Kind.NAMED_TYPE ||
      node.kind === Kind.FRAGMENT_SPREAD ||
      node.kind === Kind.FRAGMENT_DEFINITION ||
      node.kind === Kind.OPERATION_DEFINITION;
    return (named && node.name?.value) || [];
  });
}

/** Characters of a message that are used: a quoted value may be a megabyte, and the patterns below scan it repeatedly. */
const MAX_MESSAGE_LENGTH = 2000;

/** Removes the value that a message is about, and everything it quotes but `publicNames` and `ownNames`. */
export function withoutInput(
  message: string,
  publicNames: ReadonlySet<string>,
  ownNames: readonly string[] = [],
): string {
  const isPublic = (text: string) => ownNames.includes(text) || isNameOf(publicNames, text);
  const isShown = publicNames.size > 0;
  const shown = withoutRawInput(message, publicNames)
    .slice(0, MAX_MESSAGE_LENGTH)
    .replace(/,? ?found:? .*$/s, ".")
    .replace(/(cannot represent [^:]*): .*$/s, "$1.")
    .replace(/(Unexpected (?:Name|String|Int|Float|BlockString|character):?) .*$/s, "$1.");
  return (isShown ? shown : withoutGraph(shown)).replace(
    /"((?:[^"\\]|\\.|\\$)*)(?:"|$)/gs,
    (quoted, text: string, at: number) =>
      isPublic(text) || (isShown && at === VARIABLE.length && shown.startsWith(VARIABLE) && /^\$\w+$/.test(text))
        ? quoted
        : "<redacted>",
  );
}

/** Removes what tells how the graph is made. */
function withoutGraph(message: string): string {
  return message
    .replace(/ Did you mean .*$/s, "")
    .replace(/^Field .* must have a selection of subfields.*$/s, "A field of an object needs a selection.")
    .replace(/^Field .* must not have a selection .*$/s, "A field without subfields has a selection.");
}

/** A name, a type such as `[ID!]!`, a place such as `Query.callLogs(first:)`, or a selection such as `callLogs { ... }`. */
function isNameOf(publicNames: ReadonlySet<string>, text: string): boolean {
  if (publicNames.has(text)) return true;
  const names = /^\[*(\w+)[\]!]*$|^(\w+)(?:\.(\w+))?(?:\((\w+):\))?(?: \{ \.\.\. \})?$/.exec(text)?.slice(1);
  return names?.every((name) => name === undefined || publicNames.has(name)) ?? false;
}

/** graphql-js quotes enum values and unknown input fields unescaped, so they may contain quotes themselves. */
function withoutRawInput(message: string, publicNames: ReadonlySet<string>): string {
  const name = message.indexOf(UNKNOWN_FIELD);
  if (name !== -1)
    return `${message.slice(0, name)}${UNKNOWN_FIELD}".${suggestionIn(message.slice(name), publicNames)}`;
  const [start, end] = [message.indexOf(ENUM_VALUE), message.lastIndexOf(NO_ENUM_VALUE)];
  if (start === -1 || end < start + ENUM_VALUE.length) return message;
  return message.slice(0, start + ENUM_VALUE.length) + message.slice(end);
}

/** The first suggestion of a text, if it names nothing but the graph. */
function suggestionIn(text: string, publicNames: ReadonlySet<string>): string {
  const at = text.indexOf(SUGGESTION);
  if (at === -1) return "";
  const suggestion = /^ Did you mean ("\w+"(?:,? (?:or )?"\w+")*)\?/.exec(text.slice(at + 2, at + MAX_MESSAGE_LENGTH));
  const names = suggestion?.[1]?.match(/\w+(?=")/g) ?? [];
  return suggestion && names.every((name) => publicNames.has(name)) ? suggestion[0] : "";
}

const UNKNOWN_FIELD = ' unknown field "';
const SUGGESTION = '". Did you mean "';
const ENUM_VALUE = 'Value "';
const NO_ENUM_VALUE = '" does not exist in ';
const VARIABLE = "Variable ";
