// The parameters of an operation as a request brings them: their types, and nothing of what they say.
import { isWellFormed } from "./wellFormedText.ts";

/** A name that no JSON can hold. */
export const LARGE: unique symbol = Symbol("large");

/** As it came from outside; nothing of it is checked. */
export interface OperationRequest {
  query?: unknown;
  operationName?: unknown;
  variables?: unknown;
  extensions?: unknown;
  /** The hash of a trusted document. */
  documentId?: unknown;
  /** Of a large body, whose parser has found every text to be Unicode: ends its turn (largeBodyQueue.ts). */
  [LARGE]?: () => void;
}

/** What is wrong with them; null: nothing. */
export function malformed(request: OperationRequest): string | null {
  const { query, variables, operationName, extensions } = request;
  if (typeof query !== "string") return "query must be a text.";
  if (variables != null && !isObject(variables)) return "variables must be an object.";
  if (extensions != null && !isObject(extensions)) return "extensions must be an object.";
  if (variables != null && !request[LARGE] && !isWellFormed(variables))
    return "variables hold a text that is no Unicode.";
  return operationName == null || typeof operationName === "string" ? null : "operationName must be a text.";
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
