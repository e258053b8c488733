// How a compiled operation writes scalars and enums: what its type would write as it is, without asking the type.
import type { GraphQLLeafType } from "graphql";
import { jsonSize } from "./resultSize.ts";
import { fail, type CompiledField, type Write } from "./runCompiled.ts";
import { LIMITS } from "../documents/documentLimits.ts";

export function compileLeaf(
  type: GraphQLLeafType,
  field: Pick<CompiledField, "nodes" | "places" | "name">,
  nullable: boolean,
): Write {
  return (run, slot, container, key, value) => {
    try {
      const written = type.coerceOutputValue(value);
      if (written === null || written === undefined) throw new Error(`${field.name} has no value that can be written.`);
      container[key] = written;
      if (typeof written === "string") run.size += written.length;
      else if (typeof written === "object") run.size += jsonSize(written, LIMITS.answer);
    } catch (error) {
      fail(run, slot, container, key, { field, nullable, error });
    }
  };
}

/** What its scalar writes as it is, which most values are, is written before anything else is asked of it. */
export function plainFirst(type: GraphQLLeafType, other: Write): Write {
  return plainFirstOf[type.name]?.(other) ?? other;
}

const text =
  (other: Write): Write =>
  (run, slot, container, key, value) => {
    if (typeof value !== "string") return other(run, slot, container, key, value);
    container[key] = value;
    run.size += value.length;
  };

// A function of its own for each: one that was given the question would be asked of all types, and compiled for none.
const plainFirstOf: Readonly<Record<string, (other: Write) => Write>> = {
  String: text,
  ID: text,
  DateTime: text,
  Boolean: (other) => (run, slot, container, key, value) => {
    if (typeof value === "boolean") container[key] = value;
    else other(run, slot, container, key, value);
  },
  Float: (other) => (run, slot, container, key, value) => {
    if (typeof value === "number" && Number.isFinite(value)) container[key] = value;
    else other(run, slot, container, key, value);
  },
  Int: (other) => (run, slot, container, key, value) => {
    if (typeof value === "number" && (value | 0) === value) container[key] = value;
    else other(run, slot, container, key, value);
  },
};
