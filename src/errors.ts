// All error codes that clients may get, and the function that makes an error public. Errors other than CodedError and the
// protocol's own errors become INTERNAL without their text.
import { GraphQLError } from "graphql";
import type { Logger } from "./logger.ts";
import { maskDigitRuns } from "./logger.ts";

/** Each code with its meaning, as in docs/errors.md. The list is closed, so clients may switch over it. */
export const errorCodes = {
  BAD_USER_INPUT: "A variable has the wrong type, or a value breaks a rule.",
  UNAUTHENTICATED: "Credentials are missing, wrong, expired or revoked.",
  FORBIDDEN:
    "The operation selects a field, or gives a filter, that needs a scope the viewer does not have, or access to all rows.",
  RATE_LIMITED: "The viewer, or the address, has used up its requests for now.",
  QUERY_TOO_COMPLEX:
    "Something is too large: the body, the document, a list, the answer, the rows read from the log, or a search.",
  DOCUMENT_NOT_TRUSTED: "The gateway runs only the documents of its manifest, and this one is not among them.",
  PERSISTED_QUERY_NOT_SUPPORTED:
    "The request has only the ID of a document, and the gateway has no manifest. Send the text.",
  GRAPHQL_PARSE_FAILED: "The document is not GraphQL, or has too many tokens.",
  GRAPHQL_VALIDATION_FAILED: "The document does not fit the schema.",
  CURSOR_INVALID:
    "The cursor was not made by this gateway, belongs to other arguments, or its event was lost in a restore.",
  CURSOR_EXPIRED: "Events after the cursor are no longer kept, or are damaged. Continue with `extensions.cursor`.",
  UPSTREAM_UNAVAILABLE: "The service was not reached or answered 5xx, or the identity provider was not reached.",
  UPSTREAM_TIMEOUT: "The service did not answer in time.",
  UPSTREAM_RATE_LIMITED: "The service answered 429.",
  UPSTREAM_REJECTED: "The service answered 4xx.",
  UPSTREAM_CONTRACT: "The service's answer is not what its document promises.",
  UPSTREAM_FILTER_IGNORED: "The service answered with calls that the filter excludes.",
  SUBSCRIPTION_INTERRUPTED:
    "The gateway ended a subscription that has more results. Subscribe again after the last cursor.",
  STORE_UNAVAILABLE: "The gateway's database could not be read or written.",
  INTERNAL: "A fault of the gateway. Its log has the cause, under the request's ID.",
} as const;

export type ErrorCode = keyof typeof errorCodes;

export interface CodedErrorOptions {
  /** Seconds after which another try may succeed. */
  retryAfter?: number;
  /** Overrides the code's default, for example because a 5xx may be tried again. */
  retryable?: boolean;
  /** The cursor of the log after which a client continues if events are missing. */
  cursor?: string;
  /** For the log only. */
  cause?: unknown;
}

/**
 * An error with a message for the client. The message never holds a credential, a phone number or the service's own text.
 */
export class CodedError extends Error {
  override readonly name = "CodedError";
  readonly code: ErrorCode;
  readonly retryAfter: number | undefined;
  readonly retryable: boolean | undefined;
  readonly cursor: string | undefined;

  constructor(code: ErrorCode, message: string, options: CodedErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfter = options.retryAfter;
    this.cursor = options.cursor;
    this.retryable = options.retryable ?? retryableByCode(code);
  }
}

/** Codes of failures that a retry does not change. */
const permanentCodes: ReadonlySet<ErrorCode> = new Set([
  "UPSTREAM_REJECTED",
  "UPSTREAM_CONTRACT",
  "UPSTREAM_FILTER_IGNORED",
]);

function retryableByCode(code: ErrorCode): boolean | undefined {
  if (permanentCodes.has(code)) return false;
  return /^(UPSTREAM|STORE|SUBSCRIPTION)_/.test(code) ? true : undefined;
}

/** `spec`: a response as `application/json` has status 200 (GraphQL over HTTP, section 6.4.1). Not sent to clients. */
export interface HttpHint {
  status: number;
  spec: boolean;
  headers?: Record<string, string>;
}

export interface PublicErrorContext {
  requestId: string;
  log: Logger;
}

/**
 * The public form of any error: a GraphQLError with `extensions.code` and `extensions.requestId`, and the path and
 * locations it came with. The cause of an INTERNAL is logged here.
 */
export function publicError(error: unknown, { requestId, log }: PublicErrorContext): GraphQLError {
  const cause = rootCause(error);
  const original = error instanceof GraphQLError ? error : undefined;
  if (cause instanceof CodedError) {
    const { code, retryable, retryAfter, cursor } = cause;
    return rebuild(original, cause.message, {
      code,
      requestId,
      ...(retryable === undefined ? {} : { retryable }),
      ...(retryAfter === undefined || !code.endsWith("RATE_LIMITED") ? {} : { retryAfter }),
      ...(cursor === undefined ? {} : { cursor }),
      ...(original?.extensions["http"] === undefined ? {} : { http: original.extensions["http"] }),
    });
  }
  if (cause instanceof GraphQLError && isErrorCode(cause.extensions["code"])) {
    return rebuild(original, maskDigitRuns(cause.message), { ...cause.extensions, requestId });
  }
  log.error(
    { requestId, path: original?.path?.join("."), err: cause },
    "a client got INTERNAL instead of an unknown error",
  );
  return rebuild(original, "The gateway failed. Its log has the cause under the request's ID.", {
    code: "INTERNAL",
    requestId,
  });
}

/** Creates a request error of the protocol: for a refused document, variable or credential. */
export function requestError(code: ErrorCode, message: string, http: HttpHint, from?: GraphQLError): GraphQLError {
  return rebuild(from, message, { code, http });
}

/** The error for transports without HTTP statuses. */
export function withoutHttpHint(error: GraphQLError): GraphQLError {
  const { http: _, ...extensions } = error.extensions;
  return rebuild(error, error.message, extensions);
}

/** Copies the source position: GraphQLError would compute it again from the begin of the document. */
function rebuild(
  original: GraphQLError | undefined,
  message: string,
  extensions: Record<string, unknown>,
): GraphQLError {
  const { path, nodes, source, positions, locations } = original ?? {};
  const error = new GraphQLError(message, { ...(path === undefined ? {} : { path }), extensions });
  return Object.assign(error, { nodes, source, positions, locations });
}

function rootCause(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(errorCodes, code);
}
