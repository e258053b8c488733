// Generates the function that completes the objects of one selection. It creates an object with all its keys at once, and
// reads and stores each field by name, so V8 gives all objects one shape and finds each member at a fixed place.
//
// Of a document, only response keys and field names enter the text of the function: GraphQL names, written as JSON. Everything
// else reaches the function as a value. V8 compiles equal texts once.
import type { GraphQLFieldResolver, VariableValues } from "graphql";
import type { Context } from "../../resolvers/context.ts";
import { createResolveInfo, createUndeclaredInfo, type FieldInfo } from "./resolveInfo.ts";
import { errorOf, type Complete, type CompleteObject, type DeferPlan } from "./runCompiled.ts";

interface ReadField {
  key: string;
  /** A lower bound of the field's units of JSON: its key, and a value of one digit. */
  size: number;
  /** The member of the parent, where there is no resolver. */
  fieldName: string;
  /** The scalar or enum; null for lists and objects. */
  leafType: string | null;
  resolver: {
    resolve: GraphQLFieldResolver<unknown, Context>;
    argumentsOf: (values: VariableValues) => Record<string, unknown>;
    info: FieldInfo;
  } | null;
  complete: Complete;
}

/** `constant`: the value is known before the execution. */
export type SelectedField = ReadField | (Pick<ReadField, "key" | "size"> & { constant: string });

/** False where Node runs with --disallow-code-generation-from-strings. */
export function allowsGeneration(): boolean {
  try {
    return generateObject("Query", [], true, null) !== null;
  } catch {
    return false;
  }
}

/** `plan`: what of the object comes in later parts; null for an answer in one piece. */
export function generateObject(
  typeName: string,
  fields: readonly SelectedField[],
  nullable: boolean,
  plan: DeferPlan | null,
): CompleteObject {
  const needsContext = fields.some((field) => "resolver" in field && field.resolver);
  const text = `"use strict";
${fields.map((_, at) => `const { complete: complete${at}, resolve: resolve${at}, argumentsOf: argumentsOf${at}, info: info${at} } = fields[${at}];`).join("\n")}
return (run, parent, key, source) => {
  const data = { ${fields.map(initialMember).join(", ")} };
  const node = { parent, key, data, typeName, nullable, isDiscarded: false };
  let size = ${fields.reduce((sum, field) => sum + field.size, 0)};
  let value;
  ${needsContext ? "const context = run.context();" : ""}
${fields.map(fieldCode).join("")}
  run.minUnits += size;
  ${plan ? "run.later.addObject(run, node, source, plan);" : ""}
  return data;
};`;
  const functions = fields.map((field) =>
    "resolver" in field ? { complete: field.complete, ...resolverOf(field) } : {},
  );
  // oxlint-disable-next-line typescript/no-implied-eval -- see the head of this file
  const create = new Function("fields", "typeName", "nullable", "plan", "errorOf", "createResolveInfo", text);
  return create(functions, typeName, nullable, plan, errorOf, createResolveInfo) as CompleteObject;
}

/** Only a resolver that declares `info` gets one for each call. */
function resolverOf({ resolver }: ReadField) {
  return resolver && { ...resolver, info: needsInfo(resolver) ? resolver.info : createUndeclaredInfo(resolver.info) };
}

const needsInfo = ({ resolve }: NonNullable<ReadField["resolver"]>) => resolve.length > 3;

/** The key `__proto__` is computed: otherwise it would set the prototype. An assignment then finds it like any other key. */
function initialMember(field: SelectedField): string {
  const key = JSON.stringify(field.key);
  const value = "constant" in field ? JSON.stringify(field.constant) : "undefined";
  return `${field.key === "__proto__" ? `[${key}]` : key}: ${value}`;
}

function fieldCode(field: SelectedField, at: number): string {
  if ("constant" in field) return "";
  const key = JSON.stringify(field.key);
  const { test, store } = readyValues[field.leafType ?? ""] ?? NEVER_READY;
  return `
  try {
    value = ${valueCode(field, at)};
  } catch (error) {
    value = errorOf(error);
  }
  if (${test}) {
    data[${key}] = value;
    ${store}
  } else {
    data[${key}] = complete${at}(run, node, ${key}, value);
    if (node.isDiscarded) return null;
  }`;
}

function valueCode({ resolver, fieldName }: ReadField, at: number): string {
  if (!resolver) return `source[${JSON.stringify(fieldName)}]`;
  const info = needsInfo(resolver) ? `createResolveInfo(info${at}, run, node)` : `info${at}`;
  return `resolve${at}(source, argumentsOf${at}(run.variableValues), context, ${info})`;
}

const TEXT = { test: `typeof value === "string"`, store: "size += value.length;" };
const NEVER_READY = { test: "false", store: "" };

/** Values that their type leaves as they are. All others (null, promises, errors) go to the field's `complete`. */
const readyValues: Readonly<Record<string, typeof TEXT>> = {
  String: TEXT,
  ID: TEXT,
  DateTime: TEXT,
  Boolean: { test: `typeof value === "boolean"`, store: "" },
  Float: { test: `typeof value === "number" && Number.isFinite(value)`, store: "" },
  Int: { test: `typeof value === "number" && (value | 0) === value`, store: "" },
};
