// Tells which tools a viewer may use at all, by the rule that the pipeline refuses operations with. Tools beyond the scopes are not
// listed.
import {
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  typeFromAST,
  validateExecutionArgs,
  type GraphQLInputType,
  type GraphQLSchema,
} from "graphql";
import type { Scope, Viewer } from "../auth/scopes.ts";
import { findDenied } from "../graphql/policy/authorize.ts";
import type { ToolDocument } from "./toolDocument.ts";

const SAMPLES: Readonly<Record<string, unknown>> = {
  Int: 1,
  Float: 1,
  Boolean: true,
  JSONObject: {},
  DateTime: "2026-11-20T09:00:00Z",
};

/** Whether a viewer with these scopes may run the tool with its required arguments. Optional arguments may need more. */
export type IsAllowed = (viewer: Viewer) => boolean;

export function createIsAllowed({ document, operation }: ToolDocument, schema: GraphQLSchema): IsAllowed {
  const variableValues: Record<string, unknown> = {};
  for (const { variable, type: node, defaultValue } of operation.variableDefinitions ?? []) {
    const type = typeFromAST(schema, node) as GraphQLInputType;
    if (isNonNullType(type) && !defaultValue) variableValues[variable.name.value] = sampleOf(type);
  }
  const args = validateExecutionArgs({ schema, document, variableValues });
  // The pipeline refuses it then, whoever asks.
  if (!("operation" in args)) return () => true;
  const known = new WeakMap<ReadonlySet<Scope>, boolean>();
  return (viewer) => {
    const isAllowed = known.get(viewer.scopes) ?? findDenied(args, viewer) === null;
    known.set(viewer.scopes, isAllowed);
    return isAllowed;
  };
}

function sampleOf(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return sampleOf(type.ofType);
  if (isListType(type)) return [];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (!isInputObjectType(type)) return SAMPLES[type.name] ?? "1";
  const required = Object.values(type.getFields()).filter(isRequiredInputField);
  return Object.fromEntries(required.map(({ name, type: inner }) => [name, sampleOf(inner)]));
}
