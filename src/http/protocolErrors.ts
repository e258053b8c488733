// The protocol's own errors, with our codes and without the values that graphql-js quotes in them: a rejected variable may
// be somebody's phone number.
import type { GraphQLError } from "graphql";
import { requestError, type HttpHint } from "../errors.ts";
import type { Denial } from "./authorize.ts";

const REFUSED: HttpHint = { status: 400, spec: true };

/** What graphql-js says when comparing fields of one name has cost too much. */
const OVERLAPS_ABORTED = "Validation aborted.";

export const parseFailed = (error: GraphQLError) =>
  requestError("GRAPHQL_PARSE_FAILED", withoutValues(error.message), REFUSED, error);

export const validationFailed = (error: GraphQLError) =>
  error.message === OVERLAPS_ABORTED
    ? requestError("QUERY_TOO_COMPLEX", "The document repeats its fields too often.", REFUSED)
    : requestError("GRAPHQL_VALIDATION_FAILED", withoutValues(error.message), REFUSED, error);

/** Variables that cannot be coerced, and an operation that is not there. */
export const inputRefused = (error: GraphQLError) =>
  requestError("BAD_USER_INPUT", withoutValues(error.message), REFUSED, error);

export const forbidden = ({ field, scope }: Denial) =>
  requestError("FORBIDDEN", `${field} needs the scope ${scope}.`, { status: 403, spec: true });

/** `figures`: told where the graph itself is told too, and nowhere else. */
export const tooCostly = (figures: { requests: number; queryBudget: number } | null) =>
  requestError(
    "QUERY_TOO_COMPLEX",
    figures
      ? `The operation may need ${figures.requests} requests to the service; ${figures.queryBudget} are allowed.`
      : "The operation may need more requests to the service than are allowed.",
    REFUSED,
  );

/** What graphql-js says, up to the value it says it about. */
export function withoutValues(message: string): string {
  return message
    .replace(/,? ?found:? .*$/s, ".")
    .replace(/(cannot represent [^:]*): .*$/s, "$1.")
    .replace(/Value "[^"]*" does not exist/g, "The value does not exist")
    .replace(/(Unexpected (?:Name|String|Int|Float|BlockString|character):?) .*$/s, "$1.")
    .replace(/ Did you mean .*$/s, "");
}
