// The protocol's own errors, with our codes and without a word of the input that graphql-js quotes in them: a rejected
// variable may be somebody's phone number, and a name that nearly fits tells who probes that it does.
import { GraphQLError } from "graphql";
import { requestError, type CodedError, type HttpHint } from "../errors.ts";
import type { Denial } from "./policy/authorize.ts";

export interface GraphqlErrors {
  parseFailed(error: GraphQLError): GraphQLError;
  validationFailed(error: GraphQLError): GraphQLError;
  /** Variables that cannot be coerced, and an operation that is not there. */
  inputRefused(error: GraphQLError): GraphQLError;
  tooComplex(message: string): GraphQLError;
  tooCostly(requests: number, budget: number): GraphQLError;
  /** Of the database. */
  tooManyRows(rows: number, budget: number): GraphQLError;
  forbidden(denial: Denial): GraphQLError;
  notTrusted(): GraphQLError;
  /** One that carries the seconds to wait. */
  rateLimited(error: CodedError): GraphQLError;
  /** Nobody asks, or not any more. */
  unauthenticated(): GraphQLError;
  /** No request at all: the same for each media type. */
  malformed(message: string): GraphQLError;
}

const REFUSED: HttpHint = { status: 400, spec: true };

/** What graphql-js says when comparing fields of one name has cost too much. */
const OVERLAPS_ABORTED = "Validation aborted.";

/** `publicNames`: of the graph's types, where the graph is no secret (introspection); they may stand in a message. */
export function createGraphqlErrors(publicNames: ReadonlySet<string>): GraphqlErrors {
  const said = ({ message }: GraphQLError) => withoutInput(message, publicNames);
  const tooComplex = (message: string) => requestError("QUERY_TOO_COMPLEX", message, REFUSED);
  return {
    parseFailed: (error) => requestError("GRAPHQL_PARSE_FAILED", said(error), REFUSED, error),
    validationFailed: (error) =>
      error.message === OVERLAPS_ABORTED
        ? tooComplex("The document repeats its fields too often.")
        : requestError("GRAPHQL_VALIDATION_FAILED", said(error), REFUSED, withFewPlaces(error)),
    inputRefused: (error) => requestError("BAD_USER_INPUT", said(error), REFUSED, error),
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
      requestError("DOCUMENT_NOT_TRUSTED", "Only documents of the gateway's manifest run, by their hash.", REFUSED),
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

/** A name that is given a thousand times is found in a thousand places. */
function withFewPlaces({ message, nodes }: GraphQLError): GraphQLError {
  return new GraphQLError(message, { nodes: nodes?.slice(0, 2) ?? null });
}

/** A value may be a megabyte, and some of the patterns below look at each of its parts again and again. */
const LONGEST_SAID = 2000;

/** What graphql-js says, up to the value it says it about, and without what it quotes. */
export function withoutInput(message: string, publicNames: ReadonlySet<string>): string {
  return withoutRawInput(message)
    .slice(0, LONGEST_SAID)
    .replace(/,? ?found:? .*$/s, ".")
    .replace(/(cannot represent [^:]*): .*$/s, "$1.")
    .replace(/(Unexpected (?:Name|String|Int|Float|BlockString|character):?) .*$/s, "$1.")
    .replace(/ Did you mean .*$/s, "")
    .replace(/^Field .* must have a selection of subfields.*$/s, "A field of an object needs a selection.")
    .replace(/^Field .* must not have a selection .*$/s, "A field that is no object has a selection.")
    .replace(/"((?:[^"\\]|\\.|\\$)*)(?:"|$)/gs, (quoted, text: string) =>
      publicNames.has(text.replace(/[[\]!]/g, "")) ? quoted : "<redacted>",
    );
}

/** A value of an enum and the name of an input field are quoted as they came, with whatever quotes they hold themselves. */
function withoutRawInput(message: string): string {
  const name = message.indexOf(UNKNOWN_FIELD);
  if (name !== -1) return `${message.slice(0, name)}${UNKNOWN_FIELD}".`;
  const [value, behind] = [message.indexOf(ENUM_VALUE), message.lastIndexOf(NO_ENUM_VALUE)];
  if (value === -1 || behind < value + ENUM_VALUE.length) return message;
  return message.slice(0, value + ENUM_VALUE.length) + message.slice(behind);
}

const UNKNOWN_FIELD = ' unknown field "';
const ENUM_VALUE = 'Value "';
const NO_ENUM_VALUE = '" does not exist in ';

export const eventsNotTaken = () =>
  requestError(
    "BAD_USER_INPUT",
    "A subscription is answered as text/event-stream (name it in Accept), or over WebSocket.",
    { status: 406, spec: false },
  );
