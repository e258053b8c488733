// What an operation asks for against what its viewer may see, judged on the document before anything runs. Scopes stand
// on the schema (schema/builder.ts), so that no path through another type goes round them.
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
import type { Scope, Viewer } from "../../auth/scopes.ts";
import { isLeftOut } from "./selectedFields.ts";

export interface Denial {
  /** Such as `CallLog.recordFile` or `CallLogFilter.phone`. */
  field: string;
  scope: Scope;
}

/** The first field or filter that the viewer has no scope for; what `@skip` and `@include` leave out is not asked for. */
export function findDenied(operation: ValidatedExecutionArgs, viewer: Viewer): Denial | null {
  const { schema, fragmentDefinitions, variableValues } = operation;
  const root = schema.getRootType(operation.operation.operation);
  if (!root) return null;
  const visited = new Set<FragmentDefinitionNode>();

  function inSelections(type: GraphQLNamedType, { selections }: SelectionSetNode): Denial | null {
    for (const selection of selections) {
      const denied = isLeftOut(selection, variableValues) ? null : inSelection(type, selection);
      if (denied) return denied;
    }
    return null;
  }

  function inSelection(type: GraphQLNamedType, selection: SelectionNode): Denial | null {
    if (selection.kind === "Field") {
      const field = schema.getField(type as never, selection.name.value);
      if (!field || field.name.startsWith("__")) return null;
      const denied = lacking(`${type.name}.${field.name}`, scopeOf(field, type)) ?? inArguments(field, selection);
      const inner = getNamedType(field.type);
      return denied ?? (selection.selectionSet ? inSelections(inner, selection.selectionSet) : null);
    }
    const fragment = selection.kind === "InlineFragment" ? selection : fragmentDefinitions[selection.name.value];
    if (!fragment) return null;
    if (fragment.kind === "FragmentDefinition") {
      if (visited.has(fragment)) return null;
      visited.add(fragment);
    }
    const condition = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value);
    return inSelections(condition && isCompositeType(condition) ? condition : type, fragment.selectionSet);
  }

  function inArguments(field: GraphQLField<unknown, unknown>, node: Parameters<typeof getArgumentValues>[1]) {
    if (field.args.length === 0 || !node.arguments?.length) return null;
    const values = getArgumentValues(field, node, variableValues, undefined, true);
    for (const { name, type } of field.args) {
      const denied = inInput(type, values[name]);
      if (denied) return denied;
    }
    return null;
  }

  function inInput(type: GraphQLInputType, value: unknown): Denial | null {
    if (value === null || value === undefined) return null;
    if (isNonNullType(type)) return inInput(type.ofType, value);
    if (isListType(type)) return firstDenied(value as unknown[], (item) => inInput(type.ofType, item));
    if (!isInputObjectType(type)) return null;
    const given = value as Record<string, unknown>;
    return firstDenied(Object.values(type.getFields()), (field) => {
      if (given[field.name] === null || given[field.name] === undefined) return null;
      const denied = lacking(`${type.name}.${field.name}`, field.extensions["scope"]);
      return denied ?? inInput(field.type, given[field.name]);
    });
  }

  function lacking(field: string, scope: unknown): Denial | null {
    return typeof scope === "string" && !viewer.scopes.has(scope as Scope) ? { field, scope: scope as Scope } : null;
  }

  return inSelections(root, operation.operation.selectionSet);
}

/** A field's own scope, null included, else its type's. */
function scopeOf(field: GraphQLField<unknown, unknown>, type: GraphQLNamedType): unknown {
  return "scope" in field.extensions ? field.extensions["scope"] : type.extensions["scope"];
}

function firstDenied<T>(items: readonly T[], denial: (item: T) => Denial | null): Denial | null {
  for (const item of items) {
    const denied = denial(item);
    if (denied) return denied;
  }
  return null;
}
