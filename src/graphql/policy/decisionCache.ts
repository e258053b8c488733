// Caches authorization and cost decisions by operation, by the viewer's scopes, and by the part of the variables that a
// decision may depend on. The contents of texts are not part of it: a list of another day needs no new decision.
import { hash } from "node:crypto";
import {
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  typeFromAST,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValidatedExecutionArgs,
  type VariableValues,
} from "graphql";
import type { Scope, Viewer } from "../../auth/scopes.ts";
import { createBoundedCache, type BoundedCache } from "../../util/boundedCache.ts";

/** Depends on nothing of the viewer but the scopes. */
export type Decide<Decision extends object> = (operation: ValidatedExecutionArgs, viewer: Viewer) => Decision;

/** Decisions of one operation and one set of scopes. Numbers and ids in the variables may differ each time. */
const MAX_DECISIONS = 32;
/** Characters of JSON. */
const MAX_KEY_LENGTH = 512;

interface OperationEntry<Decision> {
  readVariables: (values: VariableValues) => VariableValues;
  byScopes: WeakMap<ReadonlySet<Scope>, BoundedCache<string, Decision>>;
}

/**
 * Returns a `decide` with a cache whose entries live at most as long as the operation's document. `decide` is given the
 * variables without the contents of texts, so a decision cannot depend on more than its key.
 */
export function createDecisionCache<Decision extends object>(decide: Decide<Decision>): Decide<Decision> {
  const entries = new WeakMap<OperationDefinitionNode, OperationEntry<Decision>>();

  function entryOf({ schema, operation }: ValidatedExecutionArgs): OperationEntry<Decision> {
    const cached = entries.get(operation);
    if (cached) return cached;
    const entry: OperationEntry<Decision> = {
      readVariables: createVariableReader(schema, operation),
      byScopes: new WeakMap(),
    };
    entries.set(operation, entry);
    return entry;
  }
  function decisionsOf({ byScopes }: OperationEntry<Decision>, { scopes }: Viewer): BoundedCache<string, Decision> {
    const cached = byScopes.get(scopes);
    if (cached) return cached;
    const decisions = createBoundedCache<string, Decision>({ maxEntries: MAX_DECISIONS });
    byScopes.set(scopes, decisions);
    return decisions;
  }

  return (operation, viewer) => {
    const entry = entryOf(operation);
    const variableValues = entry.readVariables(operation.variableValues);
    const key = keyOf(variableValues);
    if (key === null) return decide({ ...operation, variableValues }, viewer);
    const decisions = decisionsOf(entry, viewer);
    const cached = decisions.get(key);
    if (cached !== undefined) return cached;
    const decision = decide({ ...operation, variableValues }, viewer);
    decisions.set(key, decision);
    return decision;
  };
}

/** Returns a digest, because an id may hold a phone number; null if the variables are too long to be cached. */
function keyOf({ coerced }: VariableValues): string | null {
  const text = JSON.stringify(coerced);
  if (text === NO_VARIABLES) return text;
  return text.length <= MAX_KEY_LENGTH ? hash("sha256", text, "base64url") : null;
}

const NO_VARIABLES = "{}";

/** Scalars that neither scopes nor costs of the schema look into (test/graphql/policy/decisionCache.test.ts). */
const opaqueScalars: ReadonlySet<string> = new Set(["String", "DateTime", "JSONObject"]);

/** No decision reads the raw values in `sources`. */
const noValues: VariableValues = Object.freeze({ sources: Object.create(null), coerced: Object.create(null) });

function createVariableReader(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): OperationEntry<never>["readVariables"] {
  const types = variableDefinitions.flatMap(({ variable, type: node }) => {
    const type = typeFromAST(schema, node);
    return isInputType(type) ? [[variable.name.value, type] as const] : [];
  });
  if (types.length === 0) return () => noValues;
  return ({ coerced }) => {
    const read: Record<string, unknown> = Object.create(null);
    for (const [name, type] of types) if (Object.hasOwn(coerced, name)) read[name] = withoutTexts(type, coerced[name]);
    return { sources: noValues.sources, coerced: read };
  };
}

/** Replaces each text and each JSON object of a coerced value by an empty text. */
export function withoutTexts(type: GraphQLInputType, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (isNonNullType(type)) return withoutTexts(type.ofType, value);
  if (isListType(type)) return (value as unknown[]).map((item) => withoutTexts(type.ofType, item));
  if (!isInputObjectType(type)) return opaqueScalars.has(type.name) ? "" : value;
  const read: Record<string, unknown> = Object.create(null);
  const members = value as Record<string, unknown>;
  for (const { name, type: inner } of Object.values(type.getFields())) {
    if (Object.hasOwn(members, name)) read[name] = withoutTexts(inner, members[name]);
  }
  return read;
}
