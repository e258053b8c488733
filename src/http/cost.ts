// How many requests to the service an operation may need at worst, known before it runs: as if nothing were shared, and
// every list were full. What a field asks stands on the schema (`asks` in schema/builder.ts).
import {
  getArgumentValues,
  getNamedType,
  GraphQLID,
  isAbstractType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type FieldNode,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type SelectionNode,
  type SelectionSetNode,
  type ValidatedExecutionArgs,
} from "graphql";
import { LIMITS } from "./limits.ts";
import { isLeftOut } from "./selections.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** No page is longer, whatever was asked for: a `first` beyond it is refused by its own rule. */
const LONGEST_LIST = 100;

export interface Cost {
  /** To the service. */
  requests: number;
  /** Entries of the longest list of ids among the arguments. */
  longestIds: number;
}

/** Throws a GraphQLError where a variable that may be null stands where none may. */
export function costOf(operation: ValidatedExecutionArgs): Cost {
  const { schema, fragmentDefinitions, variableValues } = operation;
  let longestIds = 0;
  // Each selection set is counted once for each type it is met at, however often fragments lead there.
  const counted = new Map<SelectionSetNode, Map<GraphQLObjectType, number>>();

  function inSelections(type: GraphQLNamedType, selectionSet: SelectionSetNode): number {
    if (isAbstractType(type)) {
      return Math.max(0, ...schema.getPossibleTypes(type).map((possible) => inSelections(possible, selectionSet)));
    }
    if (!isObjectType(type)) return 0;
    const known = counted.get(selectionSet) ?? new Map<GraphQLObjectType, number>();
    counted.set(selectionSet, known);
    const before = known.get(type);
    if (before !== undefined) return before;
    const sum = atMost(selectionSet.selections.reduce((total, selection) => total + inSelection(type, selection), 0));
    known.set(type, sum);
    return sum;
  }

  function inSelection(type: GraphQLObjectType, selection: SelectionNode): number {
    if (isLeftOut(selection, variableValues)) return 0;
    if (selection.kind === "Field") return inField(type, selection);
    const fragment = selection.kind === "InlineFragment" ? selection : fragmentDefinitions[selection.name.value];
    if (!fragment) return 0;
    const condition = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value);
    const applies =
      !condition || condition === type || (isAbstractType(condition) && schema.isSubType(condition, type));
    return applies ? inSelections(type, fragment.selectionSet) : 0;
  }

  function inField(type: GraphQLObjectType, node: FieldNode): number {
    const field = schema.getField(type, node.name.value);
    if (!field || field.name.startsWith("__")) return 0;
    const args = field.args.length > 0 ? getArgumentValues(field, node, variableValues, undefined, true) : {};
    for (const { name, type } of field.args) longestIds = Math.max(longestIds, idsIn(type, args[name]));
    // Refused for that already: what each of a hundred thousand ids asks is not found out.
    if (longestIds > LIMITS.ids) return 0;
    const asks = field.extensions["asks"] as ((args: Arguments) => number) | undefined;
    const below = node.selectionSet ? inSelections(getNamedType(field.type), node.selectionSet) : 0;
    return (asks?.(args) ?? 0) + listSize(args) * below;
  }

  const root = schema.getRootType(operation.operation.operation);
  const requests = root ? inSelections(root, operation.operation.selectionSet) : 0;
  return { requests, longestIds };
}

/** Entries of the longest list of ids in an argument's value. */
function idsIn(type: GraphQLInputType, value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (isNonNullType(type)) return idsIn(type.ofType, value);
  if (isListType(type)) {
    const list = value as unknown[];
    return getNamedType(type) === GraphQLID
      ? list.length
      : list.reduce((most: number, item) => Math.max(most, idsIn(type.ofType, item)), 0);
  }
  if (!isInputObjectType(type)) return 0;
  const given = value as Arguments;
  return Object.values(type.getFields()).reduce(
    (most, field) => Math.max(most, idsIn(field.type, given[field.name])),
    0,
  );
}

/** A connection's size holds for what is below its edges and nodes, so neither of them counts again. */
function listSize({ first, ids, taskIds }: Arguments): number {
  const list = ids ?? taskIds;
  if (Array.isArray(list)) return list.length;
  return typeof first === "number" ? Math.min(Math.max(first, 0), LONGEST_LIST) : 1;
}

/** Fragments that double thirty times lead beyond what numbers are exact for, and on to Infinity × 0. */
function atMost(sum: number): number {
  return Math.min(sum, Number.MAX_SAFE_INTEGER);
}
