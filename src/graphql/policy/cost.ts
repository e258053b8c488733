// How many requests to the service an operation may need at worst, and how many rows of the database, known before it runs: as
// if nothing were shared, and every list were full. What a field costs stands on the schema (`asks`, `rows` and `scans` in
// schema/builder.ts).
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
import { LIMITS } from "../documents/documentLimits.ts";
import { isLeftOut } from "./selectedFields.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** No page is longer, whatever was asked for: a `first` beyond it is refused by its own rule. */
const LONGEST_LIST = 100;

export interface Cost {
  /** To the service. */
  requests: number;
  /** Of the database; a scan of the log counts as ten. */
  rows: number;
  /** Entries of the longest list of ids among the arguments. */
  longestIds: number;
}

/** Throws a GraphQLError where a variable that may be null stands where none may. */
export function costOf(operation: ValidatedExecutionArgs): Cost {
  const { schema, fragmentDefinitions, variableValues } = operation;
  let longestIds = 0;
  // Each selection set is counted once for each type it is met at, however often fragments lead there.
  const counted = new Map<SelectionSetNode, Map<GraphQLObjectType, Needs>>();

  function inSelections(type: GraphQLNamedType, selectionSet: SelectionSetNode): Needs {
    if (isAbstractType(type)) {
      const possible = schema.getPossibleTypes(type).map((each) => inSelections(each, selectionSet));
      return possible.reduce(most, NOTHING);
    }
    if (!isObjectType(type)) return NOTHING;
    const known = counted.get(selectionSet) ?? new Map<GraphQLObjectType, Needs>();
    counted.set(selectionSet, known);
    const before = known.get(type);
    if (before !== undefined) return before;
    const all = selectionSet.selections.reduce((total, selection) => sum(total, inSelection(type, selection)), NOTHING);
    known.set(type, all);
    return all;
  }

  function inSelection(type: GraphQLObjectType, selection: SelectionNode): Needs {
    if (isLeftOut(selection, variableValues)) return NOTHING;
    if (selection.kind === "Field") return inField(type, selection);
    const fragment = selection.kind === "InlineFragment" ? selection : fragmentDefinitions[selection.name.value];
    if (!fragment) return NOTHING;
    const condition = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value);
    const applies =
      !condition || condition === type || (isAbstractType(condition) && schema.isSubType(condition, type));
    return applies ? inSelections(type, fragment.selectionSet) : NOTHING;
  }

  function inField(type: GraphQLObjectType, node: FieldNode): Needs {
    const field = schema.getField(type, node.name.value);
    if (!field || field.name.startsWith("__")) return NOTHING;
    const args = field.args.length > 0 ? getArgumentValues(field, node, variableValues, undefined, true) : {};
    for (const { name, type } of field.args) longestIds = Math.max(longestIds, idsIn(type, args[name]));
    // Refused for that already: what each of a hundred thousand ids asks is not found out.
    if (longestIds > LIMITS.ids) return NOTHING;
    const { asks, reads } = field.extensions as Partial<Record<"asks" | "reads", (args: Arguments) => number>>;
    const below = node.selectionSet ? inSelections(getNamedType(field.type), node.selectionSet) : NOTHING;
    const own = { requests: asks?.(args) ?? 0, rows: reads?.(args) ?? 0 };
    return sum(own, below, listSize(args));
  }

  const root = schema.getRootType(operation.operation.operation);
  const needs = root ? inSelections(root, operation.operation.selectionSet) : NOTHING;
  return { ...needs, longestIds };
}

type Needs = Omit<Cost, "longestIds">;

const NOTHING: Needs = { requests: 0, rows: 0 };

const sum = (a: Needs, b: Needs, times = 1): Needs => ({
  requests: atMost(a.requests + times * b.requests),
  rows: atMost(a.rows + times * b.rows),
});

const most = (a: Needs, b: Needs): Needs => ({
  requests: Math.max(a.requests, b.requests),
  rows: Math.max(a.rows, b.rows),
});

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
