import type { ExecutionResult, GraphQLError } from "graphql";

/** The errors of a result, in an order and a form that two executors share. */
export function errorsOf({ data, errors = [] }: ExecutionResult): string[] {
  return [...new Set(errors.map((error) => shownError(error, data)))].sort();
}

/**
 * An error may set a place above it to null. Which of the errors below that place is reported depends on timing, and nothing
 * promises it; that one of them is reported is promised.
 */
function shownError(error: GraphQLError, data: unknown): string {
  const path = error.path ?? [];
  const emptied = path.findIndex((_, length) => valueAt(data, path.slice(0, length)) === null);
  if (emptied !== -1) return `below ${path.slice(0, emptied).join(".")}`;
  return JSON.stringify({ ...error.toJSON(), extensions: { ...error.extensions, requestId: "" } });
}

function valueAt(data: unknown, path: readonly (string | number)[]): unknown {
  let value = data;
  for (const key of path) value = (value as Record<string | number, unknown>)[key];
  return value;
}
