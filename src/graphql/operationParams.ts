// The parameters of an operation in a request: parses their JSON, for HTTP bodies and WebSocket messages, and checks their types.
import { JSON_LIMITS } from "../config/limits.ts";
import { parseExact } from "../format/exactJson.ts";
import { isTextDeeperThan } from "../format/jsonDepth.ts";

/** Values from outside, unchecked. The request of a large body holds its turn (util/bodies/bodyTurn.ts). */
export interface OperationRequest {
  query?: unknown;
  operationName?: unknown;
  variables?: unknown;
  extensions?: unknown;
  /** The ID of a trusted document (GraphQL over HTTP, "Persisted Documents"). */
  documentId?: unknown;
  /** The same, as Relay's documentation names it. */
  doc_id?: unknown;
}

/** The parameters of which a request has at least one. */
export const SOURCE_PARAMS = ["query", "documentId", "doc_id", "extensions"] as const;

/** The ID by which a request names its document. `extensions.persistedQuery` is an ID, or an object with `sha256Hash`. */
export function documentIdOf({ documentId, doc_id, extensions }: OperationRequest): string | undefined {
  const persisted = memberOf(extensions, "persistedQuery");
  return [documentId, doc_id, persisted, memberOf(persisted, "sha256Hash")].find((each) => typeof each === "string");
}

/** Whether it names a document by its ID and does not send its text. */
export function hasOnlyDocumentId(request: OperationRequest): boolean {
  return (request.query == null || request.query === "") && documentIdOf(request) !== undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Returns undefined if the text is not JSON or is nested too deeply. Numbers beyond 2^53 become exact ids. */
export function parseRequestJson(text: string): unknown {
  try {
    return isTextDeeperThan(JSON_LIMITS.levels, text) ? undefined : parseExact(text);
  } catch {
    return undefined;
  }
}

/** Returns a message that names the first malformed parameter, or null. `isUnicode`: the parser has checked every text. */
export function findMalformed(request: OperationRequest, { isUnicode }: { isUnicode: boolean }): string | null {
  const { query, variables, operationName, extensions } = request;
  if (typeof query !== "string") return "query must be a text.";
  if (variables != null && !isObject(variables)) return "variables must be an object.";
  if (extensions != null && !isObject(extensions)) return "extensions must be an object.";
  if (variables != null && !isUnicode && !isWellFormed(variables))
    return "variables must not hold half of a surrogate pair.";
  return operationName == null || typeof operationName === "string" ? null : "operationName must be a text.";
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether every text of a JSON value is Unicode. JSON can spell half of a surrogate pair, which has no bytes in UTF-8 and would
 * be stored as another text. Uses no recursion: a value may be nested as deeply as its text is long.
 */
export function isWellFormed(value: unknown): boolean {
  const rest = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === "string" && !next.isWellFormed()) return false;
    if (typeof next !== "object" || next === null) continue;
    if (Array.isArray(next)) for (const item of next) rest.push(item);
    else for (const [key, item] of Object.entries(next)) rest.push(key, item);
  }
  return true;
}
