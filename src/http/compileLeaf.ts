// How a compiled operation writes scalars and enums: what its type would write as it is, without asking the type.
import type { GraphQLLeafType } from "graphql";
import { fail, type CompiledField, type Write } from "./compiled.ts";

export function compileLeaf(
  type: GraphQLLeafType,
  field: Pick<CompiledField, "nodes" | "name">,
  nullable: boolean,
): Write {
  const isPlain = plainLeaf[type.name] ?? (() => false);
  return (run, slot, container, key, value) => {
    if (isPlain(value)) {
      container[key] = value;
      return;
    }
    try {
      const written = type.coerceOutputValue(value);
      if (written === null || written === undefined) throw new Error(`${field.name} has no value that can be written.`);
      container[key] = written;
    } catch (error) {
      fail(run, slot, container, key, { field, nullable, error });
    }
  };
}

/** Values that their scalar writes as they are: most of them. */
const plainLeaf: Record<string, (value: unknown) => boolean> = {
  String: (value) => typeof value === "string",
  ID: (value) => typeof value === "string",
  Boolean: (value) => typeof value === "boolean",
  Float: (value) => typeof value === "number" && Number.isFinite(value),
  Int: (value) => typeof value === "number" && (value | 0) === value,
};
