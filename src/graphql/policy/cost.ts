// Counts, before an operation runs, the requests to the service and the rows of the database that it may need at worst: no
// result is shared and every list is full. The schema names the cost of each field (schema/extensions.ts). operationPolicy.ts
// compares the sums with QUERY_BUDGET and LOG_BUDGET. Checks of the service's lists come on top: see admission.ts.
// While the operation runs, upstream/requester.ts refuses requests beyond QUERY_BUDGET.
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
import { filterNames } from "../../config/variables.ts";
import type { ListUse } from "../../loaders/checkReserve.ts";
import { MAX_FIRST } from "../../resolvers/inputRules.ts";
import { VARIABLE_LIMITS } from "../documents/variableLimits.ts";
import { extensionsOf, type ListFilter } from "../../schema/extensions.ts";
import { isSkipped } from "./selectedFields.ts";

type Arguments = Readonly<Record<string, unknown>>;

export interface Cost {
  requests: number;
  /** A scan of the log counts as ten rows. */
  rows: number;
  /** Entries of the longest list of ids among the arguments. */
  longestIds: number;
  /** Null: it loads no lists of calls. */
  lists: ListUse | null;
}

/** Throws a GraphQLError if a variable is null where null is not allowed. */
export function costOf(operation: ValidatedExecutionArgs): Cost {
  const { schema, fragmentDefinitions, variableValues } = operation;
  let longestIds = 0;
  let lists: ListUse | null = null;
  // Each selection set is counted once for each type, however often its fragment is spread.
  const counted = new Map<SelectionSetNode, Map<GraphQLObjectType, OperationCost>>();

  function costOfSelections(type: GraphQLNamedType, selectionSet: SelectionSetNode): OperationCost {
    if (isAbstractType(type)) {
      const possible = schema.getPossibleTypes(type).map((each) => costOfSelections(each, selectionSet));
      return possible.reduce(larger, NOTHING);
    }
    if (!isObjectType(type)) return NOTHING;
    const known = counted.get(selectionSet) ?? new Map<GraphQLObjectType, OperationCost>();
    counted.set(selectionSet, known);
    const cached = known.get(type);
    if (cached !== undefined) return cached;
    const all = selectionSet.selections.reduce(
      (total, selection) => sum(total, costOfSelection(type, selection)),
      NOTHING,
    );
    known.set(type, all);
    return all;
  }

  function costOfSelection(type: GraphQLObjectType, selection: SelectionNode): OperationCost {
    if (isSkipped(selection, variableValues)) return NOTHING;
    if (selection.kind === "Field") return costOfField(type, selection);
    const fragment = selection.kind === "InlineFragment" ? selection : fragmentDefinitions[selection.name.value];
    if (!fragment) return NOTHING;
    const condition = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value);
    const applies =
      !condition || condition === type || (isAbstractType(condition) && schema.isSubType(condition, type));
    return applies ? costOfSelections(type, fragment.selectionSet) : NOTHING;
  }

  function costOfField(type: GraphQLObjectType, node: FieldNode): OperationCost {
    const field = schema.getField(type, node.name.value);
    if (!field || field.name.startsWith("__")) return NOTHING;
    const args = field.args.length > 0 ? getArgumentValues(field, node, variableValues, undefined, true) : {};
    for (const { name, type } of field.args) longestIds = Math.max(longestIds, idsIn(type, args[name]));
    // The operation is refused for this already; counting a hundred thousand ids would take long.
    if (longestIds > VARIABLE_LIMITS.ids) return NOTHING;
    const { requests, rows, typeCounts, listFilter } = extensionsOf(field);
    if (listFilter) lists = withFilter(lists, listFilter(args));
    const own = { requests: requests?.(args) ?? 0, rows: rows?.(args) ?? 0 };
    if (!node.selectionSet) return own;
    if (typeCounts) return costOfEach(typeCounts(args), node.selectionSet, own);
    return sum(own, costOfSelections(getNamedType(field.type), node.selectionSet), listSize(args));
  }

  function costOfEach(counts: ReadonlyMap<string, number>, selectionSet: SelectionSetNode, own: OperationCost) {
    let total = own;
    for (const [name, count] of counts) {
      const type = schema.getType(name);
      if (type) total = sum(total, costOfSelections(type, selectionSet), count);
    }
    return total;
  }

  const root = schema.getRootType(operation.operation.operation);
  const total = root ? costOfSelections(root, operation.operation.selectionSet) : NOTHING;
  return { ...total, longestIds, lists };
}

type OperationCost = Pick<Cost, "requests" | "rows">;

const NOTHING: OperationCost = { requests: 0, rows: 0 };

const sum = (a: OperationCost, b: OperationCost, times = 1): OperationCost => ({
  requests: bounded(a.requests + times * b.requests),
  rows: bounded(a.rows + times * b.rows),
});

const larger = (a: OperationCost, b: OperationCost): OperationCost => ({
  requests: Math.max(a.requests, b.requests),
  rows: Math.max(a.rows, b.rows),
});

function withFilter(lists: ListUse | null, filter: ListFilter): ListUse {
  const given = filterNames.filter((name) => filter[name] != null);
  const idsOf = (ids: unknown) => (Array.isArray(ids) ? ids.length : 0);
  return {
    filters: new Set([...(lists?.filters ?? []), ...given]),
    taskIds: Math.max(lists?.taskIds ?? 0, idsOf(filter.taskIds)),
    assistantIds: Math.max(lists?.assistantIds ?? 0, idsOf(filter.assistantIds)),
  };
}

/** Returns the length of the longest list of ids in an argument's value. */
function idsIn(type: GraphQLInputType, value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (isNonNullType(type)) return idsIn(type.ofType, value);
  if (isListType(type)) {
    const list = value as unknown[];
    return getNamedType(type) === GraphQLID
      ? list.length
      : list.reduce((max: number, item) => Math.max(max, idsIn(type.ofType, item)), 0);
  }
  if (!isInputObjectType(type)) return 0;
  const members = value as Arguments;
  return Object.values(type.getFields()).reduce(
    (max, field) => Math.max(max, idsIn(field.type, members[field.name])),
    0,
  );
}

/** The size of a connection multiplies what is below its `edges` and `nodes`, which have no arguments of their own. */
function listSize({ first, ids, taskIds }: Arguments): number {
  const list = ids ?? taskIds;
  if (Array.isArray(list)) return list.length;
  return typeof first === "number" ? Math.min(Math.max(first, 0), MAX_FIRST) : 1;
}

/** Nested fragments can exceed the exact integers, and would then reach Infinity × 0. */
function bounded(sum: number): number {
  return Math.min(sum, Number.MAX_SAFE_INTEGER);
}
