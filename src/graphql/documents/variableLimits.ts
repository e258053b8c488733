// Long lists in the variables of an operation, such as the numbers of a new task. They are cut out before graphql-js
// coerces the variables in one turn of the event loop, coerced in small steps, and put back before the operation runs.
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
import type { Steps } from "../../util/timeSlices.ts";
import { LIMITS } from "./documentLimits.ts";

const TOO_LONG = `A text in the variables has more than ${LIMITS.characters.toLocaleString("en")} characters.`;
const TOO_MANY = `The variables hold more than ${LIMITS.list} entries of lists.`;

type Variables = Record<string, unknown>;

export interface LongList {
  items: readonly unknown[];
  itemType: GraphQLInputType;
  /** From the variable's name to the list. */
  path: readonly (string | number)[];
}

export interface CutVariables {
  variables: Variables;
  longLists: readonly LongList[];
  /** Which limit is exceeded: by a text, or by a list for whose items the schema names no limit of its own (`longest`). */
  excess: string | null;
}

/**
 * Replaces long lists by empty ones, in a copy. A list longer than its limit keeps one entry beyond it, so that the
 * field's own rule refuses it. What stands in a JSON scalar is no list of the schema, and stays.
 */
export function cutLongLists(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null,
  given: Variables,
): CutVariables {
  const longLists: LongList[] = [];
  let excess: string | null = null;
  let entries = 0;
  if (!Object.values(given).some((value) => isContainer(value) || isTooLong(value)))
    return { variables: given, longLists, excess };

  function cut(value: unknown, type: GraphQLInputType, path: LongList["path"]): unknown {
    if (isTooLong(value)) excess = TOO_LONG;
    if (!isContainer(value)) return value;
    if (isNonNullType(type)) return cut(value, type.ofType, path);
    if (isListType(type)) return Array.isArray(value) ? cutList(value, type.ofType, path) : value;
    if (!isInputObjectType(type) || Array.isArray(value)) return value;
    const fields = type.getFields();
    const copy = { ...value } as Variables;
    if (Object.keys(copy).some(isTooLong)) excess = TOO_LONG;
    for (const name of Object.keys(fields)) {
      const field = fields[name];
      if (!field || !Object.hasOwn(copy, name)) continue;
      copy[name] = cut(copy[name], field.type, [...path, name]);
    }
    return copy;
  }

  function cutList(list: unknown[], itemType: GraphQLInputType, path: LongList["path"]): unknown {
    const { longest } = getNamedType(itemType).extensions as { longest?: number };
    entries += longest === undefined && list.length <= LIMITS.list ? list.length : 0;
    if (entries > LIMITS.list) excess = TOO_MANY;
    else if (list.length <= LIMITS.list) return list.map((item, at) => cut(item, itemType, [...path, at]));
    else if (getNamedType(itemType) === GraphQLID) excess = `A list has more than ${LIMITS.ids} ids.`;
    else if (longest === undefined) excess = TOO_MANY;
    else longLists.push({ items: list.slice(0, longest + 1), itemType, path });
    return [];
  }

  const variables = { ...given };
  for (const { variable, type: node } of operationOf(document, operationName)?.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, node);
    if (!Object.hasOwn(variables, name) || !isInputType(type)) continue;
    variables[name] = cut(variables[name], type, [name]);
  }
  return { variables, longLists, excess };
}

/** The coerced items, or the first errors, in the words of graphql-js. */
export function* coerceLongList({ items, itemType, path }: LongList): Steps<{
  items: unknown[];
  errors: GraphQLError[];
}> {
  const coerced: unknown[] = [];
  const errors: GraphQLError[] = [];
  for (const [at, item] of items.entries()) {
    const value = coerceInputValue(item, itemType);
    if (value !== undefined) coerced.push(value);
    else errors.push(...errorsOf(item, itemType, [...path, at]));
    if (errors.length >= LIMITS.errors) break;
    yield;
  }
  return { items: coerced, errors };
}

function errorsOf(item: unknown, type: GraphQLInputType, [variable, ...inside]: LongList["path"]): GraphQLError[] {
  const errors: GraphQLError[] = [];
  validateInputValue(
    item,
    type,
    ({ message }, path) => {
      const place = [...inside, ...path].map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("");
      if (errors.length < LIMITS.errors)
        errors.push(new GraphQLError(`Variable "$${variable}" has invalid value at ${place}: ${message}`));
    },
    true,
  );
  return errors;
}

/** Puts the items in the place of the empty list. `coerced` are the variables that graphql-js made of the rest. */
export function putBack({ path }: LongList, items: readonly unknown[], coerced: Variables): void {
  const holder = path.slice(0, -1).reduce((value, key) => value[key] as Variables, coerced);
  holder[path.at(-1) ?? ""] = items;
}

function isTooLong(value: unknown): boolean {
  return typeof value === "string" && value.length > LIMITS.characters;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function operationOf({ definitions }: DocumentNode, name: string | null): OperationDefinitionNode | undefined {
  return definitions.find(
    (node): node is OperationDefinitionNode =>
      node.kind === Kind.OPERATION_DEFINITION && (name === null || node.name?.value === name),
  );
}

/** Completes the coerced variables in slices; the errors, where an item cannot be coerced. */
export async function putLongLists(
  lists: readonly LongList[],
  { variableValues }: Pick<ValidatedExecutionArgs, "variableValues">,
  run: <T>(steps: Steps<T>) => Promise<T>,
): Promise<readonly GraphQLError[]> {
  for (const list of lists) {
    const { items, errors } = await run(coerceLongList(list));
    if (errors.length > 0) return errors;
    putBack(list, items, variableValues.coerced);
  }
  return [];
}
