// Caches the coerced form of operations. An operation without variables is coerced once. Subscribers who send the same
// variables share one coerced operation while any of them is subscribed; values of other variables are never kept, because
// they may be phone numbers.
import { hash } from "node:crypto";
import type { DocumentNode, GraphQLError, ValidatedExecutionArgs } from "graphql";
import { hasOnlyFiniteNumbers } from "../../format/exactJson.ts";
import { createBoundedCache, type BoundedCache } from "../../util/boundedCache.ts";

/** The operation with its coerced variables, or the errors of coercion. */
export type Coerced = ValidatedExecutionArgs | readonly GraphQLError[];

export type Coerce = (
  document: DocumentNode,
  operationName: string | null,
  variables: Readonly<Record<string, unknown>>,
) => Coerced;

/** Coerced subscriptions of one document. */
const MAX_SUBSCRIPTIONS = 100;
/** Characters of JSON. */
const MAX_VARIABLES_LENGTH = 1000;

/** Returns a `coerce` with a cache whose entries live at most as long as the document. */
export function createCoercionCache(coerce: Coerce): Coerce {
  const coerceSubscription = createSubscriptionCache(coerce);
  const constants = new WeakMap<DocumentNode, Map<string | null, ValidatedExecutionArgs>>();

  return (document, operationName, variables) => {
    const cached = constants.get(document)?.get(operationName);
    if (cached) return cached;
    const coerced = coerceSubscription(document, operationName, variables);
    if (!("operation" in coerced) || (coerced.operation.variableDefinitions?.length ?? 0) > 0) return coerced;
    const byName = constants.get(document) ?? new Map<string | null, ValidatedExecutionArgs>();
    constants.set(document, byName.set(operationName, coerced));
    return coerced;
  };
}

/** The cached operations are weak references: the subscribers hold the operation, and its variables go with the last. */
function createSubscriptionCache(coerce: Coerce): Coerce {
  const byDocument = new WeakMap<DocumentNode, BoundedCache<string, WeakRef<ValidatedExecutionArgs>>>();
  return (document, operationName, variables) => {
    const cache = byDocument.get(document);
    const key = cache && keyOf(operationName, variables);
    const cached = key === undefined ? undefined : cache?.get(key)?.deref();
    if (cached) return cached;
    const coerced = coerce(document, operationName, variables);
    if (!("operation" in coerced) || coerced.operation.operation !== "subscription") return coerced;
    if (!cache) byDocument.set(document, createBoundedCache({ maxEntries: MAX_SUBSCRIPTIONS }));
    else if (key !== undefined) cache.set(key, new WeakRef(coerced));
    return coerced;
  };
}

/** Returns a digest; undefined if the JSON is long, or if other variables have the same JSON (1e400 becomes null). */
function keyOf(operationName: string | null, variables: Readonly<Record<string, unknown>>): string | undefined {
  if (!isShort(variables)) return undefined;
  const key = JSON.stringify([operationName, variables]);
  return key.length <= MAX_VARIABLES_LENGTH && hasOnlyFiniteNumbers(variables)
    ? hash("sha256", key, "base64url")
    : undefined;
}

/** Whether the JSON could be short. Stops at the limit: the variables may have 16 MiB. */
function isShort(variables: unknown): boolean {
  let left = MAX_VARIABLES_LENGTH;
  const rest = [variables];
  while (rest.length > 0 && left > 0) {
    const value = rest.pop();
    left -= typeof value === "string" ? value.length : 1;
    if (typeof value !== "object" || value === null) continue;
    for (const key in value) {
      left -= key.length;
      if (left <= 0) break;
      rest.push((value as Record<string, unknown>)[key]);
    }
  }
  return left > 0;
}
