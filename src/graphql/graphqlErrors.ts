// Errors of the GraphQL protocol with our codes. publicMessages.ts decides what of a message of graphql-js clients may read.
import { GraphQLError } from "graphql";
import { MAX_QUERY_BUDGET } from "../config/variables.ts";
import { requestError, type CodedError, type HttpHint } from "../errors.ts";
import { sumOfChecks, type RequestAllowance } from "../upstream/requester.ts";
import type { Denial } from "./policy/authorize.ts";
import { namesIn, withoutInput } from "./publicMessages.ts";

export interface GraphqlErrors {
  parseFailed(error: GraphQLError): GraphQLError;
  validationFailed(error: GraphQLError): GraphQLError;
  /** For variables that cannot be coerced, and an unknown operation name. */
  inputRefused(error: GraphQLError): GraphQLError;
  tooComplex(message: string): GraphQLError;
  /** `isLasting`: of a subscription, each of whose events has the allowance. */
  tooCostly(allowance: RequestAllowance, isLasting: boolean): GraphQLError;
  /** Rows of the database. */
  tooManyRows(rows: number, budget: number): GraphQLError;
  forbidden(denial: Denial): GraphQLError;
  notTrusted(): GraphQLError;
  /** Its message is the one that clients of automatic persisted queries look for, before they send the text. */
  persistedQueryNotSupported(): GraphQLError;
  /** `retryAfter` of the error becomes the header Retry-After. */
  rateLimited(error: CodedError): GraphQLError;
  /** For missing credentials, and for those that have expired or were removed. */
  unauthenticated(): GraphQLError;
  /** For a request without a valid query. Its status is the same for each media type. */
  malformed(message: string): GraphQLError;
}

const REFUSED: HttpHint = { status: 400, spec: true };

/**
 * `publicNames`: names of the graph that a message may quote; empty without introspection. `quotesDocument`: whether it may
 * quote the names in the document, too.
 */
export function createGraphqlErrors(
  publicNames: ReadonlySet<string>,
  quotesDocument = publicNames.size > 0,
): GraphqlErrors {
  const safeMessage = ({ message, nodes }: GraphQLError) =>
    withoutInput(message, publicNames, quotesDocument ? namesIn(nodes) : []);
  const tooComplex = (message: string) => requestError("QUERY_TOO_COMPLEX", message, REFUSED);
  return {
    parseFailed: (error) => requestError("GRAPHQL_PARSE_FAILED", safeMessage(error), REFUSED, error),
    validationFailed: (error) =>
      // graphql-js aborts when comparing fields costs too much. Only that error points at nothing in the document.
      error.nodes
        ? requestError("GRAPHQL_VALIDATION_FAILED", safeMessage(error), REFUSED, withFewNodes(error))
        : tooComplex("The document repeats its fields too often."),
    inputRefused: (error) => requestError("BAD_USER_INPUT", safeMessage(error), REFUSED, error),
    tooComplex,
    tooCostly({ counted, checks, max }, isLasting) {
      if (publicNames.size === 0)
        return tooComplex(
          "The operation may need more requests to the service than QUERY_BUDGET allows: ask for less.",
        );
      const ofChecks = sumOfChecks(checks);
      const what = isLasting ? "Each event of the subscription" : "The operation";
      const more = ofChecks > 0 ? `, and ${ofChecks} to check its lists` : "";
      const needed = counted + ofChecks;
      const advice = needed > MAX_QUERY_BUDGET ? "" : `, or set QUERY_BUDGET to ${needed} or more`;
      // A longer figure would be masked as a phone number is.
      const figure = counted > MAX_QUERY_BUDGET ? "more than a million" : counted;
      return tooComplex(
        `${what} may need ${figure} requests to the service${more}; QUERY_BUDGET is ${max}. Ask for less${advice}.`,
      );
    },
    tooManyRows: (rows, budget) =>
      tooComplex(
        publicNames.size > 0
          ? `The operation may read ${rows} rows of the log, where a scan counts as ten; LOG_BUDGET is ${budget}.`
          : "The operation may read more of the log than is allowed.",
      ),
    forbidden: ({ field, scope }) =>
      requestError("FORBIDDEN", `${field} needs the scope ${scope}.`, { status: 403, spec: true }),
    notTrusted: () =>
      requestError("DOCUMENT_NOT_TRUSTED", "Only documents of the gateway's manifest run, by their ID.", REFUSED),
    persistedQueryNotSupported: () =>
      requestError("PERSISTED_QUERY_NOT_SUPPORTED", "PersistedQueryNotSupported", REFUSED),
    rateLimited: (error) => {
      const headers = { "retry-after": String(error.retryAfter ?? 1) };
      const http: HttpHint = { status: 429, spec: false, headers };
      return new GraphQLError("", { originalError: error, extensions: { http } });
    },
    unauthenticated: () =>
      requestError("UNAUTHENTICATED", "Credentials are needed, and must still hold.", { status: 401, spec: false }),
    malformed: (message) => requestError("BAD_USER_INPUT", message, { status: 400, spec: false }),
  };
}

/** A name that is declared a thousand times has a thousand nodes. */
function withFewNodes({ message, nodes }: GraphQLError): GraphQLError {
  return new GraphQLError(message, { nodes: nodes?.slice(0, 2) ?? null });
}

export const subscriptionNotAccepted = () =>
  requestError(
    "BAD_USER_INPUT",
    "A subscription is answered as text/event-stream (name it in Accept), or over WebSocket.",
    { status: 406, spec: false },
  );

export const mutationByGet = () =>
  requestError("BAD_USER_INPUT", "Mutations must be sent by POST.", {
    status: 405,
    spec: false,
    headers: { allow: "POST" },
  });
