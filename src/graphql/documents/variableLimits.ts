// Limits of an operation's variables, and its long lists, such as the numbers of a new task. Long lists are removed before
// graphql-js coerces the variables in one turn of the event loop. They are coerced in slices before the operation runs.
import {
  coerceInputValue,
  getNamedType,
  GraphQLError,
  GraphQLID,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  typeFromAST,
  validateInputValue,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValidatedExecutionArgs,
} from "graphql";
import { MAX_LIST_LENGTH } from "../../resolvers/inputRules.ts";
import { extensionsOf } from "../../schema/extensions.ts";
import { holdTurn } from "../../util/bodies/bodyTurn.ts";
import type { Steps } from "../../util/timeSlices.ts";
import { DOCUMENT_LIMITS } from "./documentLimits.ts";
import { canSuggestIn } from "./suggestions.ts";

export const VARIABLE_LIMITS = {
  /** Characters of a text. */
  textLength: 1024 * 1024,
  /** Entries of a list of ids, in literals too. */
  ids: MAX_LIST_LENGTH,
  /** Entries of all lists together, except lists for whose items the schema sets a limit (`longest`). */
  listEntries: 1000,
  /** Members of an object and of the objects inside it. A JSONObject has rules of its own. */
  members: 1000,
} as const;

const TEXT_TOO_LONG = `A text in the variables has more than ${VARIABLE_LIMITS.textLength.toLocaleString("en")} characters.`;
const TOO_MANY_ENTRIES = `The variables hold more than ${VARIABLE_LIMITS.listEntries} entries of lists.`;
const MEMBER_NAME_TOO_LONG = `A member of an object in the variables has a name that has more than ${DOCUMENT_LIMITS.nameLength} characters.`;
export const TOO_MANY_IDS = `A list has more than ${VARIABLE_LIMITS.ids} ids.`;
export const TOO_MANY_MEMBERS = `An object among the variables has more than ${VARIABLE_LIMITS.members} members.`;

type Variables = Readonly<Record<string, unknown>>;

export interface LongList {
  /** As they were sent. Empty once they are coerced. */
  items: unknown[];
  itemType: GraphQLInputType;
  /** The variable's name, and the keys from its value to the list. */
  path: readonly (string | number)[];
}

export interface ExtractedLists {
  /** A copy in which long lists are empty. */
  variables: Variables;
  longLists: readonly LongList[];
  /** A message for a limit that is exceeded, or null. */
  excess: string | null;
}

/**
 * Empties long lists in `given` too, because the request keeps it while the operation runs. A list longer than the limit of its
 * type keeps one item beyond it, so that the resolver's own rule refuses it. A JSON scalar stays as it is.
 */
export function extractLongLists(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null,
  given: Variables,
): ExtractedLists {
  const longLists: LongList[] = [];
  let excess: string | null = null;
  let entries = 0;
  if (!Object.values(given).some((value) => isObject(value) || isTooLong(value)))
    return { variables: given, longLists, excess };

  function copy(value: unknown, type: GraphQLInputType, path: LongList["path"]): unknown {
    if (isTooLong(value)) excess = TEXT_TOO_LONG;
    if (!isObject(value)) return value;
    if (isNonNullType(type)) return copy(value, type.ofType, path);
    if (isListType(type)) return Array.isArray(value) ? copyList(value, type.ofType, path) : value;
    if (!isInputObjectType(type) || Array.isArray(value)) return value;
    const fields = type.getFields();
    const members: Record<string, unknown> = { ...value };
    if (hasLongName(value)) excess = MEMBER_NAME_TOO_LONG;
    for (const name of Object.keys(fields)) {
      const field = fields[name];
      if (!field || !Object.hasOwn(members, name)) continue;
      members[name] = copy(members[name], field.type, [...path, name]);
    }
    return members;
  }

  function copyList(list: unknown[], itemType: GraphQLInputType, path: LongList["path"]): unknown {
    const { listEntries } = VARIABLE_LIMITS;
    const { longest } = extensionsOf(getNamedType(itemType));
    entries += longest === undefined && list.length <= listEntries ? list.length : 0;
    if (entries > listEntries) excess = TOO_MANY_ENTRIES;
    else if (list.length <= listEntries) return list.map((item, at) => copy(item, itemType, [...path, at]));
    else if (getNamedType(itemType) === GraphQLID) excess = TOO_MANY_IDS;
    else if (longest === undefined) excess = TOO_MANY_ENTRIES;
    else {
      longLists.push({ items: list.splice(0, longest + 1), itemType, path });
      list.length = 0;
    }
    return [];
  }

  const variables: Record<string, unknown> = { ...given };
  for (const { variable, type: node } of operationOf(document, operationName)?.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, node);
    if (!Object.hasOwn(variables, name) || !isInputType(type)) continue;
    variables[name] = copy(variables[name], type, [name]);
  }
  return { variables, longLists, excess };
}

function isTooLong(value: unknown): boolean {
  return typeof value === "string" && value.length > VARIABLE_LIMITS.textLength;
}

/** No field has such a name. The message of graphql-js about an unknown field prints the whole object. */
function hasLongName(value: object): boolean {
  return Object.keys(value).some((name) => name.length > DOCUMENT_LIMITS.nameLength);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function operationOf({ definitions }: DocumentNode, name: string | null): OperationDefinitionNode | undefined {
  return definitions.find(
    (node): node is OperationDefinitionNode =>
      node.kind === Kind.OPERATION_DEFINITION && (name === null || node.name?.value === name),
  );
}

/**
 * Coerces the long lists in slices and puts them back into the coerced variables, where they hold the turn of their large body.
 * Returns the errors of the first bad list.
 */
export async function coerceLongLists(
  lists: readonly LongList[],
  { variableValues }: Pick<ValidatedExecutionArgs, "variableValues">,
  options: { introspection: boolean; release: (() => void) | undefined; run: <T>(steps: Steps<T>) => Promise<T> },
): Promise<readonly GraphQLError[]> {
  const { introspection, release, run } = options;
  for (const list of lists) {
    const { items, errors } = await run(coerceInSteps(list, introspection));
    list.items.length = 0;
    if (errors.length > 0) return errors;
    if (release) holdTurn(items, release);
    const holder = list.path.slice(0, -1).reduce((value, key) => value[key] as Variables, variableValues.coerced);
    (holder as Record<string, unknown>)[list.path.at(-1) ?? ""] = items;
  }
  return [];
}

/** Returns the coerced items, or the first errors, with the messages of graphql-js. */
function* coerceInSteps(
  { items, itemType, path }: LongList,
  introspection: boolean,
): Steps<{ items: unknown[]; errors: GraphQLError[] }> {
  const coerced: unknown[] = [];
  const errors: GraphQLError[] = [];
  for (const [at, item] of items.entries()) {
    const value = coerceInputValue(item, itemType);
    if (value !== undefined) coerced.push(value);
    else errors.push(...errorsOf(item, itemType, { path: [...path, at], introspection }));
    if (errors.length >= DOCUMENT_LIMITS.errors) break;
    yield;
  }
  return { items: coerced, errors };
}

/** Ends the validation of an item, which may have a thousand mistakes: the message of each prints the item. */
class TooManyErrors extends Error {}

function errorsOf(
  item: unknown,
  type: GraphQLInputType,
  { path: [variable, ...keys], introspection }: { path: LongList["path"]; introspection: boolean },
): GraphQLError[] {
  if (isObject(item) && hasLongName(item)) return [new GraphQLError(MEMBER_NAME_TOO_LONG)];
  const errors: GraphQLError[] = [];
  const onError = ({ message }: GraphQLError, path: readonly (string | number)[]) => {
    const position = [...keys, ...path].map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("");
    errors.push(new GraphQLError(`Variable "$${variable}" has invalid value at ${position}: ${message}`));
    if (errors.length >= DOCUMENT_LIMITS.errors) throw new TooManyErrors();
  };
  try {
    validateInputValue(item, type, onError, !introspection || !canSuggestIn(item));
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error;
  }
  return errors;
}

/**
 * Whether an object in the variables has more members, with those of the objects inside it, than any input needs. An error
 * of coercion prints the whole value six times, although no client sees it: a megabyte would block the event loop for 0.5 s.
 */
export function hasTooManyMembers(schema: GraphQLSchema, { definitions }: DocumentNode, variables: Variables): boolean {
  const declared = definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION ? (node.variableDefinitions ?? []) : [],
  );
  return declared.some(({ variable, type: node }) => {
    const value = variables[variable.name.value];
    if (!isObject(value)) return false;
    const type = typeFromAST(schema, node);
    return isInputType(type) && membersOf(type, value) > VARIABLE_LIMITS.members;
  });
}

/** No input type is nested as deeply, and graphql-js prints three levels. */
const MAX_DEPTH = 30;

/** Counts the members of an object and of the objects in it. A list counts as its widest item: few items are printed. */
function membersOf(type: GraphQLInputType | null, value: unknown, depth = 0): number {
  if (!isObject(value) || depth > MAX_DEPTH) return 0;
  if (Array.isArray(value)) {
    const itemType = type && itemTypeOf(type);
    return value.reduce((max: number, item) => Math.max(max, membersOf(itemType, item, depth + 1)), 0);
  }
  const named = type && getNamedType(type);
  if (named?.name === "JSONObject") return 0;
  const fields = isInputObjectType(named) ? named.getFields() : {};
  let count = 0;
  for (const [name, member] of Object.entries(value)) {
    count += 1 + membersOf(fields[name]?.type ?? null, member, depth + 1);
    if (count > VARIABLE_LIMITS.members) break;
  }
  return count;
}

function itemTypeOf(type: GraphQLInputType): GraphQLInputType {
  if (isNonNullType(type)) return itemTypeOf(type.ofType);
  return isListType(type) ? type.ofType : type;
}
