// Checks that the viewer has the scopes that an operation needs, before anything runs. The schema names the scope of each
// type, field and input field (schema/extensions.ts), so that it holds on every path to them.
import {
  getArgumentValues,
  getNamedType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type SelectionNode,
  type SelectionSetNode,
  type ValidatedExecutionArgs,
} from "graphql";
import { holdsNeeded, neededText, type NeededScope, type Viewer } from "../../auth/scopes.ts";
import { extensionsOf } from "../../schema/extensions.ts";
import { isSkipped } from "./selectedFields.ts";

export interface Denial {
  /** Such as `CallLog.recordFile` or `CallLogFilter.phone`. */
  field: string;
  /** Such as `tasks:create or tasks:propose`. */
  scope: string;
}

/** Returns the first field or input field whose scope the viewer lacks, or null. Skipped selections need no scope. */
export function findDenied(operation: ValidatedExecutionArgs, viewer: Viewer): Denial | null {
  const { schema, fragmentDefinitions, variableValues } = operation;
  const root = schema.getRootType(operation.operation.operation);
  if (!root) return null;
  const checkedFragments = new Set<FragmentDefinitionNode>();

  function checkSelections(type: GraphQLNamedType, { selections }: SelectionSetNode): Denial | null {
    for (const selection of selections) {
      const denied = isSkipped(selection, variableValues) ? null : checkSelection(type, selection);
      if (denied) return denied;
    }
    return null;
  }

  function checkSelection(type: GraphQLNamedType, selection: SelectionNode): Denial | null {
    if (selection.kind === "Field") {
      const field = schema.getField(type as never, selection.name.value);
      if (!field || field.name.startsWith("__")) return null;
      const denied = checkScope(`${type.name}.${field.name}`, scopeOf(field, type)) ?? checkArguments(field, selection);
      const inner = getNamedType(field.type);
      return denied ?? (selection.selectionSet ? checkSelections(inner, selection.selectionSet) : null);
    }
    const fragment = selection.kind === "InlineFragment" ? selection : fragmentDefinitions[selection.name.value];
    if (!fragment) return null;
    if (fragment.kind === "FragmentDefinition") {
      if (checkedFragments.has(fragment)) return null;
      checkedFragments.add(fragment);
    }
    const condition = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value);
    return checkSelections(condition && isCompositeType(condition) ? condition : type, fragment.selectionSet);
  }

  function checkArguments(field: GraphQLField<unknown, unknown>, node: Parameters<typeof getArgumentValues>[1]) {
    if (field.args.length === 0 || !node.arguments?.length) return null;
    const values = getArgumentValues(field, node, variableValues, undefined, true);
    for (const { name, type } of field.args) {
      const denied = checkInput(type, values[name]);
      if (denied) return denied;
    }
    return null;
  }

  function checkInput(type: GraphQLInputType, value: unknown): Denial | null {
    if (value === null || value === undefined) return null;
    if (isNonNullType(type)) return checkInput(type.ofType, value);
    if (isListType(type)) return firstDenied(value as unknown[], (item) => checkInput(type.ofType, item));
    if (!isInputObjectType(type)) return null;
    const members = value as Record<string, unknown>;
    return firstDenied(Object.values(type.getFields()), (field) => {
      const member = members[field.name];
      if (member === null || member === undefined) return null;
      const denied = checkScope(`${type.name}.${field.name}`, extensionsOf(field).scope);
      return denied ?? checkInput(field.type, member);
    });
  }

  function checkScope(field: string, scope: NeededScope | null | undefined): Denial | null {
    return scope && !holdsNeeded(viewer, scope) ? { field, scope: neededText(scope) } : null;
  }

  return checkSelections(root, operation.operation.selectionSet);
}

/** A field's own scope, which may be null, replaces the scope of its type. */
function scopeOf(field: GraphQLField<unknown, unknown>, type: GraphQLNamedType): NeededScope | null | undefined {
  const { scope } = extensionsOf(field);
  return scope === undefined ? extensionsOf(type).scope : scope;
}

function firstDenied<T>(items: readonly T[], check: (item: T) => Denial | null): Denial | null {
  for (const item of items) {
    const denied = check(item);
    if (denied) return denied;
  }
  return null;
}
