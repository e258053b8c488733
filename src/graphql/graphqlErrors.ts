// Errors of the GraphQL protocol with our codes. They quote nothing of the input: a rejected variable may be a phone number, and
// a suggested name would help someone who probes for names.
import { GraphQLError } from "graphql";
import { requestError, type CodedError, type HttpHint } from "../errors.ts";
import type { Denial } from "./policy/authorize.ts";

export interface GraphqlErrors {
  parseFailed(error: GraphQLError): GraphQLError;
  validationFailed(error: GraphQLError): GraphQLError;
  /** For variables that cannot be coerced, and an unknown operation name. */
  inputRefused(error: GraphQLError): GraphQLError;
  tooComplex(message: string): GraphQLError;
  tooCostly(requests: number, budget: number): GraphQLError;
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

/** `publicNames`: names of types that a message may quote; empty without introspection. */
export function createGraphqlErrors(publicNames: ReadonlySet<string>): GraphqlErrors {
  const safeMessage = ({ message }: GraphQLError) => withoutInput(message, publicNames);
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
    tooCostly: (requests, budget) =>
      tooComplex(
        publicNames.size > 0
          ? `The operation may need ${requests} requests to the service; ${budget} are allowed.`
          : "The operation may need more requests to the service than are allowed.",
      ),
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

/** Characters of a message that are used: a quoted value may be a megabyte, and the patterns below scan it repeatedly. */
const MAX_MESSAGE_LENGTH = 2000;

/** Removes from a message of graphql-js the value that it is about, and everything it quotes but `publicNames`. */
export function withoutInput(message: string, publicNames: ReadonlySet<string>): string {
  return withoutRawInput(message)
    .slice(0, MAX_MESSAGE_LENGTH)
    .replace(/,? ?found:? .*$/s, ".")
    .replace(/(cannot represent [^:]*): .*$/s, "$1.")
    .replace(/(Unexpected (?:Name|String|Int|Float|BlockString|character):?) .*$/s, "$1.")
    .replace(/ Did you mean .*$/s, "")
    .replace(/^Field .* must have a selection of subfields.*$/s, "A field of an object needs a selection.")
    .replace(/^Field .* must not have a selection .*$/s, "A field without subfields has a selection.")
    .replace(/"((?:[^"\\]|\\.|\\$)*)(?:"|$)/gs, (quoted, text: string) =>
      publicNames.has(text.replace(/[[\]!]/g, "")) ? quoted : "<redacted>",
    );
}

/** graphql-js quotes enum values and unknown input fields unescaped, so they may contain quotes themselves. */
function withoutRawInput(message: string): string {
  const name = message.indexOf(UNKNOWN_FIELD);
  if (name !== -1) return `${message.slice(0, name)}${UNKNOWN_FIELD}".`;
  const [start, end] = [message.indexOf(ENUM_VALUE), message.lastIndexOf(NO_ENUM_VALUE)];
  if (start === -1 || end < start + ENUM_VALUE.length) return message;
  return message.slice(0, start + ENUM_VALUE.length) + message.slice(end);
}

const UNKNOWN_FIELD = ' unknown field "';
const ENUM_VALUE = 'Value "';
const NO_ENUM_VALUE = '" does not exist in ';

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
