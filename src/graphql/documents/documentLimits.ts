// How large a document may be, whoever asks and by whatever transport: measured as if its fragments were written out, each
// of them measured once. Judged before validation, which such documents are made to exhaust.
import {
  BREAK,
  visit,
  type DocumentNode,
  type FragmentDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";

/** docs/security.md tells them. */
export const LIMITS = {
  tokens: 1000,
  /** Of TRUSTED_DOCUMENTS, which our own people wrote. */
  trustedTokens: 5000,
  /** Ends of lines (a comment each, or a line of a text) and escapes: they cost the reader far more than their length. */
  laborious: 10_000,
  /** Fields inside of fields; `__schema` and `__type` with all below are not counted. */
  depth: 12,
  aliases: 100,
  rootFields: 100,
  directives: 50,
  /** In all; a document without fragments cannot have as many. */
  fields: 10_000,
  /** Characters of a name or an alias, which an answer repeats for each item of a list. */
  name: 128,
  /** Entries of a list of ids. */
  ids: 100,
  /** Members of an object in the variables, with those of the objects in it; a JSONObject has rules of its own. */
  members: 1000,
  /** Bytes of an answer: of each result, where an operation has many. */
  answer: 16 * 1024 * 1024,
  /** Errors of fields in one answer: each costs more than what it stands for. */
  fieldErrors: 1000,
  /** Entries of all lists in the variables together, but for those of which the schema names a limit (`longest`). */
  list: 1000,
  /** Bytes of a body that is parsed in one turn of the event loop; a larger one is parsed in slices. */
  parsedAtOnce: 64 * 1024,
  /** Bodies larger than that which are worked on at a time: one of a caller. And how many of a caller wait for it. */
  largeBodies: 2,
  largeBodiesWaiting: 8,
  /** Lists and objects inside of each other in a body: no variable needs as many. */
  bodyLevels: 1000,
  /** JSON values in a body: twenty for each of 100,000 numbers. */
  bodyValues: 2_000_000,
  /** Members of one JSON object in a body. */
  bodyMembers: 20_000,
  /** Characters of a document, of a text in the variables that the document names, and of a JSON number. */
  characters: 1024 * 1024,
  /** Errors told of one document, or of one request's variables. */
  errors: 5,
} as const;

/** Whether to read the document would hold up everybody else: a megabyte of these takes longer than all other limits allow. */
export function isLaborious(source: string): boolean {
  if (source.length <= LIMITS.laborious) return false;
  let found = 0;
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === LINE_FEED || code === CARRIAGE_RETURN || code === BACKSLASH) found += 1;
  }
  return found > LIMITS.laborious;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BACKSLASH = 92;

interface Size {
  depth: number;
  aliases: number;
  directives: number;
  fields: number;
  /** Fields of this selection set itself. */
  own: number;
}

const NOTHING: Size = { depth: 0, aliases: 0, directives: 0, fields: 0, own: 0 };

export const LONG_NAME = `A name has more than ${LIMITS.name} characters.`;

/** What of the document is beyond its limit, said without a word of the document's; null: nothing. */
export function findExcess(document: DocumentNode): string | null {
  return hasLongName(document) ? LONG_NAME : findLargeOperation(document);
}

/** Of anything in the document: fields, aliases, arguments, variables, fragments, operations, directives, types, enum values. */
function hasLongName(document: DocumentNode): boolean {
  let isFound = false;
  const look = ({ value }: { value: string }) => {
    isFound = value.length > LIMITS.name;
    return isFound ? BREAK : undefined;
  };
  visit(document, { Name: look, EnumValue: look });
  return isFound;
}

function findLargeOperation({ definitions }: DocumentNode): string | null {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of definitions) if (node.kind === "FragmentDefinition") fragments.set(node.name.value, node);
  const measured = new Map<string, Size>();

  function ofFragment(name: string): Size {
    const fragment = fragments.get(name);
    const known = measured.get(name);
    if (known || !fragment) return known ?? NOTHING;
    // Met again inside of itself it is nothing: a cycle, which validation refuses.
    measured.set(name, NOTHING);
    const size = withDirectives(ofSelections(fragment.selectionSet), fragment);
    measured.set(name, size);
    return size;
  }

  function ofSelections({ selections }: SelectionSetNode): Size {
    return selections.map(ofSelection).reduce(sum, NOTHING);
  }

  function ofSelection(node: SelectionNode): Size {
    if (node.kind === "FragmentSpread") return withDirectives(ofFragment(node.name.value), node);
    const below = node.selectionSet ? ofSelections(node.selectionSet) : NOTHING;
    if (node.kind === "InlineFragment") return withDirectives(below, node);
    const isIntrospection = node.name.value.startsWith("__");
    return withDirectives(
      {
        ...below,
        depth: isIntrospection ? 0 : below.depth + 1,
        aliases: below.aliases + (node.alias ? 1 : 0),
        fields: below.fields + 1,
        own: 1,
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
    const excess = excessOf(withDirectives(sum(variables, ofSelections(node.selectionSet)), node));
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
    own: a.own + b.own,
  };
}

function withDirectives(size: Size, { directives = [] }: { directives?: readonly unknown[] | undefined }): Size {
  return directives.length === 0 ? size : { ...size, directives: size.directives + directives.length };
}

function excessOf({ depth, aliases, directives, fields, own }: Size): string | null {
  if (depth > LIMITS.depth) return `Fields are nested more than ${LIMITS.depth} deep.`;
  if (aliases > LIMITS.aliases) return `The document has more than ${LIMITS.aliases} aliases.`;
  if (own > LIMITS.rootFields) return `The operation has more than ${LIMITS.rootFields} root fields.`;
  if (directives > LIMITS.directives) return `The document has more than ${LIMITS.directives} directives.`;
  return fields > LIMITS.fields ? `The operation has more than ${LIMITS.fields} fields.` : null;
}

/** Requests of one connection that wait for their answers. */
export const PIPELINE = {
  /** With more, nothing is read from the connection until all but one are answered. */
  ahead: 16,
  /** With more the connection is cut: small requests that came in one read. */
  most: 100,
} as const;

const MIB = 1024 * 1024;

export const READING = {
  /** In a period a peer must take all that waited for it when the period began, or so many bytes of it. */
  periodMs: 60_000,
  leastBytes: 2 * MIB,
  /** Of all peers together: with more waiting, those are cut for which bytes have been waiting longest. */
  mostWaiting: 96 * MIB,
} as const;

/**
 * Bytes of bodies of requests under way, of all callers together and of one. Together with what waits for peers, a large body
 * that is parsed (some 150 MB) and the process itself (some 200 MB) that is about 600 MB; docs/performance.md has what was seen.
 */
export const BODIES = { most: 96 * MIB, mostOfCaller: 24 * MIB };
/** A body of so many bytes, told in its head, is not counted: most requests are smaller. */
export const UNCOUNTED_BODY = 64 * 1024;
