// What is known of an operation before it runs: its coerced variables, and what stands against it for a viewer. An
// operation that declares no variables is the same each time, so it is coerced once; decisionCache.ts remembers what was judged.
// The variables of a subscription live as long as its subscribers do, who share them where they ask alike: crowds do. No
// value of a variable is remembered beyond the operations that were given it, for it may be somebody's number.
import { hash } from "node:crypto";
import type { DocumentNode, GraphQLError, ValidatedExecutionArgs } from "graphql";
import { hasOnlyFiniteNumbers } from "../../format/exactJson.ts";
import { createDecisionCache, type Decide } from "./decisionCache.ts";

export type Coerced = ValidatedExecutionArgs | readonly GraphQLError[];

type Coerce = (document: DocumentNode, operationName: string | null, variables: Record<string, unknown>) => Coerced;

export interface CoercedOperationDeps<Verdict> {
  coerce: Coerce;
  judge: Decide<Verdict>;
}

/** Of one document. Beyond them a subscription is coerced for each who asks. */
const MOST_SUBSCRIPTIONS = 100;
const LONGEST_VARIABLES = 1000;

/** The same, remembered for as long as the document is kept. */
export function rememberCoerced<Verdict>({
  coerce,
  judge,
}: CoercedOperationDeps<Verdict>): CoercedOperationDeps<Verdict> {
  const subscriptions = createSubscriptions(coerce);
  const constants = new WeakMap<DocumentNode, Map<string | null, ValidatedExecutionArgs>>();

  return {
    coerce(document, operationName, variables) {
      const known = constants.get(document)?.get(operationName);
      if (known) return known;
      const coerced = subscriptions(document, operationName, variables);
      if (!("operation" in coerced) || (coerced.operation.variableDefinitions?.length ?? 0) > 0) return coerced;
      const byName = constants.get(document) ?? new Map<string | null, ValidatedExecutionArgs>();
      constants.set(document, byName.set(operationName, coerced));
      return coerced;
    },
    judge: createDecisionCache(judge),
  };
}

/** As `coerce`, but that who subscribes with the same variables as one who still does is given the same. */
function createSubscriptions(coerce: Coerce): Coerce {
  const asked = new WeakMap<DocumentNode, Map<string, WeakRef<ValidatedExecutionArgs>>>();
  return (document, operationName, variables) => {
    const known = asked.get(document);
    const key = known && keyOf(operationName, variables);
    const same = key === undefined ? undefined : known?.get(key)?.deref();
    if (same) return same;
    const coerced = coerce(document, operationName, variables);
    if (!("operation" in coerced) || coerced.operation.operation !== "subscription") return coerced;
    if (!known) asked.set(document, new Map());
    if (!known || key === undefined) return coerced;
    const oldest = known.size >= MOST_SUBSCRIPTIONS ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
    known.set(key, new WeakRef(coerced));
    return coerced;
  };
}

/** A digest; undefined where its text would be long, or that of other variables, too. */
function keyOf(operationName: string | null, variables: Record<string, unknown>): string | undefined {
  if (!isShort(variables)) return undefined;
  const key = JSON.stringify([operationName, variables]);
  return key.length <= LONGEST_VARIABLES && hasOnlyFiniteNumbers(variables)
    ? hash("sha256", key, "base64url")
    : undefined;
}

/** Whether the variables could make a short text. Stops at the limit, for their text may have 16 MiB. */
function isShort(variables: unknown): boolean {
  let left = LONGEST_VARIABLES;
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
