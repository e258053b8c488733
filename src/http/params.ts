// The parameters of an operation as a request brings them: their types, and nothing of what they say.
import { isWellFormed } from "./wellFormed.ts";

/** As it came from outside; nothing of it is checked. */
export interface OperationRequest {
  query?: unknown;
  operationName?: unknown;
  variables?: unknown;
  extensions?: unknown;
  /** The hash of a trusted document. */
  documentId?: unknown;
}

/** What is wrong with them; null: nothing. */
export function malformed({ query, variables, operationName, extensions }: OperationRequest): string | null {
  if (typeof query !== "string") return "query must be a text.";
  if (variables != null && !isObject(variables)) return "variables must be an object.";
  if (extensions != null && !isObject(extensions)) return "extensions must be an object.";
  if (variables != null && !isWellFormed(variables)) return "variables hold a text that is no Unicode.";
  return operationName == null || typeof operationName === "string" ? null : "operationName must be a text.";
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
