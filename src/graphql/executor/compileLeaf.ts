// Writes scalars and enums of a compiled operation. Values that need no conversion are written without asking the type.
import type { GraphQLLeafType } from "graphql";
import { jsonSize, RESULT_LIMITS } from "./resultSize.ts";
import { writeError, type CompiledField, type Write } from "./runCompiled.ts";

/** Converts each value by its type, as graphql-js does. */
export function compileLeaf(
  type: GraphQLLeafType,
  field: Pick<CompiledField, "nodes" | "locations" | "name">,
  nullable: boolean,
): Write {
  return (run, node, container, key, value) => {
    try {
      const output = type.coerceOutputValue(value);
      if (output === null || output === undefined) throw new Error(`${field.name} returned a value without an output.`);
      container[key] = output;
      if (typeof output === "string") run.size += output.length;
      else if (typeof output === "object") run.size += jsonSize(output, RESULT_LIMITS.bytes);
    } catch (error) {
      writeError(run, node, container, key, { field, nullable, error });
    }
  };
}

/** Writes values that the type would leave as they are, and passes all others (null, promises, errors) to `write`. */
export function withFastPath(type: GraphQLLeafType, write: Write): Write {
  return fastPaths[type.name]?.(write) ?? write;
}

const text =
  (other: Write): Write =>
  (run, node, container, key, value) => {
    if (typeof value !== "string") return other(run, node, container, key, value);
    container[key] = value;
    run.size += value.length;
  };

// One function for each type: V8 would not specialise one function that takes the condition as a parameter.
const fastPaths: Readonly<Record<string, (other: Write) => Write>> = {
  String: text,
  ID: text,
  DateTime: text,
  Boolean: (other) => (run, node, container, key, value) => {
    if (typeof value === "boolean") container[key] = value;
    else other(run, node, container, key, value);
  },
  Float: (other) => (run, node, container, key, value) => {
    if (typeof value === "number" && Number.isFinite(value)) container[key] = value;
    else other(run, node, container, key, value);
  },
  Int: (other) => (run, node, container, key, value) => {
    if (typeof value === "number" && (value | 0) === value) container[key] = value;
    else other(run, node, container, key, value);
  },
};
