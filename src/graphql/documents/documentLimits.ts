// Limits of documents, and the check of a parsed document. Fields are counted as if fragments were written
// out. The check runs before validation, whose time an attacker could otherwise exhaust.
import {
  BREAK,
  visit,
  type DocumentNode,
  type FragmentDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";

/** docs/security.md lists them for users. Others: variableLimits.ts, executor/resultSize.ts and config/limits.ts. */
export const DOCUMENT_LIMITS = {
  /** Characters. */
  length: 1024 * 1024,
  tokens: 1000,
  /** Tokens of a document in TRUSTED_DOCUMENTS, which the operator wrote. */
  trustedTokens: 5000,
  /** Line ends and backslashes: each costs the parser far more than its length. */
  linesAndEscapes: 10_000,
  /** Nested fields. `__schema` and `__type` are not counted, nor what is below them. */
  depth: 12,
  aliases: 100,
  rootFields: 100,
  directives: 50,
  /** Selected fields; only a document with fragments can have as many. */
  fields: 10_000,
  /** Characters of a name or an alias: the response repeats an alias for each item of a list. */
  nameLength: 128,
  /** Errors reported of one document, or of one request's variables. */
  errors: 5,
} as const;

/** Whether parsing would block the event loop: a megabyte of line ends or backslashes takes longer than all other limits allow. */
export function hasTooManyLinesOrEscapes(source: string): boolean {
  if (source.length <= DOCUMENT_LIMITS.linesAndEscapes) return false;
  let found = 0;
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === LINE_FEED || code === CARRIAGE_RETURN || code === BACKSLASH) found += 1;
  }
  return found > DOCUMENT_LIMITS.linesAndEscapes;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BACKSLASH = 92;

interface Size {
  depth: number;
  aliases: number;
  directives: number;
  fields: number;
  /** Fields directly in this selection set. */
  rootFields: number;
}

const NOTHING: Size = { depth: 0, aliases: 0, directives: 0, fields: 0, rootFields: 0 };

export const NAME_TOO_LONG = `A name has more than ${DOCUMENT_LIMITS.nameLength} characters.`;

/** Returns a message for the first limit that is exceeded, or null. The message quotes nothing of the document. */
export function findExcess(document: DocumentNode): string | null {
  return hasLongName(document) ? NAME_TOO_LONG : findLargeOperation(document);
}

/** Checks every name: of fields, aliases, arguments, variables, fragments, operations, directives, types and enum values. */
function hasLongName(document: DocumentNode): boolean {
  let isFound = false;
  const check = ({ value }: { value: string }) => {
    isFound = value.length > DOCUMENT_LIMITS.nameLength;
    return isFound ? BREAK : undefined;
  };
  visit(document, { Name: check, EnumValue: check });
  return isFound;
}

function findLargeOperation({ definitions }: DocumentNode): string | null {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of definitions) if (node.kind === "FragmentDefinition") fragments.set(node.name.value, node);
  const measured = new Map<string, Size>();

  function sizeOfFragment(name: string): Size {
    const fragment = fragments.get(name);
    const known = measured.get(name);
    if (known || !fragment) return known ?? NOTHING;
    // Ends the recursion for a fragment that spreads itself, which validation rejects.
    measured.set(name, NOTHING);
    const size = withDirectives(sizeOfSelections(fragment.selectionSet), fragment);
    measured.set(name, size);
    return size;
  }

  function sizeOfSelections({ selections }: SelectionSetNode): Size {
    return selections.map(sizeOfSelection).reduce(sum, NOTHING);
  }

  function sizeOfSelection(node: SelectionNode): Size {
    if (node.kind === "FragmentSpread") return withDirectives(sizeOfFragment(node.name.value), node);
    const below = node.selectionSet ? sizeOfSelections(node.selectionSet) : NOTHING;
    if (node.kind === "InlineFragment") return withDirectives(below, node);
    const isIntrospection = node.name.value.startsWith("__");
    return withDirectives(
      {
        ...below,
        depth: isIntrospection ? 0 : below.depth + 1,
        aliases: below.aliases + (node.alias ? 1 : 0),
        fields: below.fields + 1,
        rootFields: 1,
      },
      node,
    );
  }

  for (const node of definitions) {
    if (node.kind !== "OperationDefinition") continue;
    const variables = (node.variableDefinitions ?? []).reduce(
      (size, variable) => withDirectives(size, variable),
      NOTHING,
    );
    const excess = exceededLimitOf(withDirectives(sum(variables, sizeOfSelections(node.selectionSet)), node));
    if (excess) return excess;
  }
  return null;
}

function sum(a: Size, b: Size): Size {
  return {
    depth: Math.max(a.depth, b.depth),
    aliases: a.aliases + b.aliases,
    directives: a.directives + b.directives,
    fields: a.fields + b.fields,
    rootFields: a.rootFields + b.rootFields,
  };
}

function withDirectives(size: Size, { directives = [] }: { directives?: readonly unknown[] | undefined }): Size {
  return directives.length === 0 ? size : { ...size, directives: size.directives + directives.length };
}

function exceededLimitOf({ depth, aliases, directives, fields, rootFields }: Size): string | null {
  if (depth > DOCUMENT_LIMITS.depth) return `Fields are nested more than ${DOCUMENT_LIMITS.depth} deep.`;
  if (aliases > DOCUMENT_LIMITS.aliases) return `The document has more than ${DOCUMENT_LIMITS.aliases} aliases.`;
  if (rootFields > DOCUMENT_LIMITS.rootFields)
    return `The operation has more than ${DOCUMENT_LIMITS.rootFields} root fields.`;
  if (directives > DOCUMENT_LIMITS.directives)
    return `The document has more than ${DOCUMENT_LIMITS.directives} directives.`;
  return fields > DOCUMENT_LIMITS.fields ? `The operation has more than ${DOCUMENT_LIMITS.fields} fields.` : null;
}
