// The one error that the client throws, whatever failed: the network, the gateway or the service behind it.
export interface GraphError {
  message: string;
  path?: readonly (string | number)[];
  extensions?: Readonly<Record<string, unknown>> & { code?: string };
}

/** Codes of the client itself. All others are the gateway's: docs/errors.md. */
export type ClientErrorCode =
  /** No answer came: the gateway was not reached, the connection broke, or it was silent for too long. */
  | "NETWORK"
  /** What answered is not the gateway, such as a proxy: `status` has its HTTP status. */
  | "BAD_RESPONSE"
  /** The function in `authorization` threw; `cause` has its error. */
  | "AUTHORIZATION_FAILED"
  /** A subscription without a cursor got more items than its consumer took. */
  | "CONSUMER_TOO_SLOW"
  /** The client was closed. */
  | "CLOSED";

export interface SwitchboardErrorOptions {
  /** Whether the same request may succeed later. */
  retryable?: boolean | undefined;
  /** Seconds. */
  retryAfter?: number | undefined;
  requestId?: string | undefined;
  /** The HTTP status, if there was an answer. */
  status?: number | undefined;
  /** What the gateway could answer beside the errors. */
  data?: unknown;
  /** Every error of the answer. */
  errors?: readonly GraphError[] | undefined;
  /** Where to continue after CURSOR_EXPIRED, and after CURSOR_INVALID if the database was restored. */
  cursor?: string | undefined;
  /** The key of a createTask without a final answer: taskSubmissionByKey finds the submission. */
  idempotencyKey?: string | undefined;
  cause?: unknown;
}

export class SwitchboardError extends Error {
  override readonly name = "SwitchboardError";
  /** The code of the first error: one of the gateway, or a ClientErrorCode. */
  readonly code: string;
  declare readonly retryable: boolean;
  declare readonly retryAfter: number | undefined;
  declare readonly requestId: string | undefined;
  declare readonly status: number | undefined;
  declare readonly data: unknown;
  declare readonly errors: readonly GraphError[];
  declare readonly cursor: string | undefined;
  declare readonly idempotencyKey: string | undefined;

  constructor(code: string, message: string, { cause, ...options }: SwitchboardErrorOptions = {}) {
    super(message, { cause });
    this.code = code;
    Object.assign(this, { retryable: false, errors: [] }, options);
  }
}
