// Completes values by the type of their field: null, errors, promises, lists, and scalars that need a conversion. Objects are
// completed by functions of generateObject.ts.
import {
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLAbstractType,
  type GraphQLLeafType,
  type GraphQLNonNull,
  type GraphQLNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from "graphql";
import { createResolveInfo, type FieldInfo } from "./resolveInfo.ts";
import { jsonSize, RESULT_LIMITS } from "./resultSize.ts";
import {
  completeError,
  completeLater,
  isOverLimit,
  ITEM_SIZE,
  type Complete,
  type Place,
  type StreamPlan,
} from "./runCompiled.ts";

/** A field at its place in the operation. */
export interface FieldPlace extends Omit<Place, "nullable"> {
  info: FieldInfo;
  /** Returns what completes an object of the type with the selected fields. */
  objectOf: (type: GraphQLObjectType, nullable: boolean) => Complete;
  /** How the field's list is streamed; null if it is not. */
  stream: (Pick<StreamPlan, "label"> & { initialCount: number; objectOf: FieldPlace["objectOf"] }) | null;
}

/** Completes what a resolver returns. A promise is completed when it settles. */
export function compileComplete(type: GraphQLOutputType, field: FieldPlace, nullable = true): Complete {
  if (isNonNullType(type)) return compileComplete(type.ofType, field, false);
  const { nodes, locations, name } = field;
  const place = { nodes, locations, name, nullable };
  const completeValue = compileValue(type, field, place);
  const complete: Complete = (run, node, key, value) => {
    if (isThenable(value)) return completeLater(run, node, key, value, complete);
    try {
      if (value instanceof Error) throw value;
      if (value !== null && value !== undefined) return completeValue(run, node, key, value);
      if (nullable) return null;
      throw new Error(`Cannot return null for non-nullable field ${name}.`);
    } catch (error) {
      return completeError(run, node, key, error, place);
    }
  };
  return complete;
}

/** The completed value is not null and no promise. It may throw. */
function compileValue(
  type: Exclude<GraphQLOutputType, GraphQLNonNull<GraphQLNullableType>>,
  field: FieldPlace,
  place: Place,
): Complete {
  if (isLeafType(type)) return compileLeaf(type, place);
  if (isListType(type)) return compileList(type.ofType, field, place);
  return isObjectType(type) ? field.objectOf(type, place.nullable) : compileAbstract(type, field, place);
}

/** Converts each value by its type, as graphql-js does. */
function compileLeaf(type: GraphQLLeafType, { name }: Place): Complete {
  return (run, _node, _key, value) => {
    const output = type.coerceOutputValue(value);
    if (output === null || output === undefined) throw new Error(`${name} returned a value without an output.`);
    if (typeof output === "string") run.minUnits += output.length;
    else if (typeof output === "object") run.minUnits += jsonSize(output, RESULT_LIMITS.bytes);
    return output;
  };
}

/** Only the outermost of nested lists is streamed. */
function compileList(itemType: GraphQLOutputType, field: FieldPlace, { name, nullable }: Place): Complete {
  const completeItem = compileComplete(itemType, { ...field, stream: null });
  const streamed = field.stream && {
    label: field.stream.label,
    completeItem: compileComplete(itemType, { ...field, ...field.stream, stream: null }),
  };
  const maxItems = field.stream?.initialCount ?? Infinity;
  return (run, parent, key, value) => {
    if (typeof value === "string" || !isIterable(value)) {
      throw new Error(`Expected Iterable, but did not find one for field "${name}".`);
    }
    const items: readonly unknown[] = Array.isArray(value) ? value : [...value];
    const list: unknown[] = [];
    const node = { parent, key, data: list as never, typeName: null, nullable, isDiscarded: false };
    const count = Math.min(items.length, maxItems);
    run.minUnits += ITEM_SIZE * count;
    for (let index = 0; index < count; index += 1) {
      list[index] = completeItem(run, node, index, items[index]);
      if (node.isDiscarded) return null;
      if (isOverLimit(run)) break;
    }
    if (streamed && count < items.length) run.later?.addList(run, node, items, count, streamed);
    return list;
  };
}

function compileAbstract(type: GraphQLAbstractType, field: FieldPlace, place: Place): Complete {
  const { info, objectOf, name } = field;
  const known = new Map<unknown, Complete>();
  function completeOf(typeName: unknown): Complete {
    const actual = typeof typeName === "string" ? info.schema.getType(typeName) : undefined;
    if (isObjectType(actual) && info.schema.isSubType(type, actual)) {
      return known.getOrInsertComputed(typeName, () => objectOf(actual, place.nullable));
    }
    throw new Error(`resolveType of ${type.name} must return one of its object types, for the field ${name}.`);
  }
  return (run, node, key, value) => {
    const typeName: unknown = type.resolveType?.(value, run.context(), createResolveInfo(info, run, node), type);
    if (!isThenable(typeName)) return completeOf(typeName)(run, node, key, value);
    return completeLater(run, node, key, typeName.then(completeOf), (_run, _node, _key, complete) => {
      try {
        if (complete instanceof Error) throw complete;
        return (complete as Complete)(run, node, key, value);
      } catch (error) {
        return completeError(run, node, key, error, place);
      }
    });
  };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}
