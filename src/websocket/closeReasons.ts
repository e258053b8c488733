// Every reason for which the gateway closes a WebSocket: the close code and the text for the client. docs/security.md lists
// which codes make a graphql-ws client try again.
import { CloseCode } from "graphql-ws";
import { SOCKET_LIMITS } from "../config/limits.ts";

/** A close frame has room for 123 bytes of `reason`. */
export interface CloseReason {
  code: number;
  reason: string;
}

/** RFC 6455 and the IANA registry of close codes. */
const UNSUPPORTED_DATA = 1003;
/** graphql-ws clients do not reconnect after it. */
const POLICY_VIOLATION = 1008;
const MESSAGE_TOO_BIG = 1009;
const SERVICE_RESTART = 1012;
const TRY_AGAIN_LATER = 1013;

export const closeReasons = {
  binaryMessage: { code: UNSUPPORTED_DATA, reason: "Messages must be text." },
  tooManyMessages: { code: POLICY_VIOLATION, reason: "Too many messages." },
  messageTooLarge: {
    code: MESSAGE_TOO_BIG,
    reason: `A message has at most ${SOCKET_LIMITS.messageBytesBeforeAck} bytes before connection_ack.`,
  },
  shutdown: { code: SERVICE_RESTART, reason: "The gateway is stopping." },
  /** A client that resumes reading finds this frame behind the unread results, and can continue from its cursor. */
  noProgress: { code: TRY_AGAIN_LATER, reason: "Nothing was read for too long." },
  initTimeout: { code: CloseCode.ConnectionInitialisationTimeout, reason: "Connection initialisation timeout" },
  secondInit: { code: CloseCode.TooManyInitialisationRequests, reason: "Too many initialisation requests" },
  unknownSubprotocol: { code: CloseCode.SubprotocolNotAcceptable, reason: "Subprotocol not acceptable" },
  invalidMessage: { code: CloseCode.BadRequest, reason: "Invalid message received" },
  notAcknowledged: { code: CloseCode.Unauthorized, reason: "Unauthorized" },
  internalError: { code: CloseCode.InternalServerError, reason: "Internal error." },
} as const satisfies Record<string, CloseReason>;

const MAX_REASON_BYTES = 123;

/** For a `subscribe` with the ID of an operation that is still running. */
export function duplicateOperation(id: string): CloseReason {
  const reason = `Subscriber for ${id} already exists`;
  const isShort = Buffer.byteLength(reason) <= MAX_REASON_BYTES;
  return { code: CloseCode.SubscriberAlreadyExists, reason: isShort ? reason : "Subscriber already exists" };
}

/** Whether the operator's metrics count the code as a rejection: neither a normal end nor a shutdown. */
export function isRejection(code: number): boolean {
  return code >= UNSUPPORTED_DATA && code !== SERVICE_RESTART;
}

/** A WebSocket that is closed because of its credentials or its viewer's quota. */
export interface SocketRefusal extends CloseReason {
  /** For the log; docs/security.md lists it. */
  cause: string;
  /** Whether the rejection counts against the peer's address: false for failures of the gateway and of its dependencies. */
  blamesPeer: boolean;
}

const NEEDED = 'connection_init needs the payload { "authorization": "Bearer <key>" }.';

export const refusals = {
  missing: {
    code: CloseCode.Forbidden,
    reason: `No credentials: ${NEEDED}`,
    cause: "no credentials",
    blamesPeer: true,
  },
  misplaced: {
    code: CloseCode.Forbidden,
    reason: `Credentials are elsewhere: ${NEEDED}`,
    cause: "credentials elsewhere",
    blamesPeer: true,
  },
  malformed: {
    code: CloseCode.Forbidden,
    reason: 'The authorization in connection_init must be "Bearer <key or token>".',
    cause: "credentials without Bearer",
    blamesPeer: true,
  },
  unknown: {
    code: CloseCode.Forbidden,
    reason: "The key or token is not valid.",
    cause: "wrong credentials",
    blamesPeer: true,
  },
  repeated: {
    code: CloseCode.Unauthorized,
    reason: "These credentials were refused before.",
    cause: "wrong credentials again",
    blamesPeer: true,
  },
  expired: { code: CloseCode.Forbidden, reason: "The token has expired.", cause: "ended token", blamesPeer: true },
  revoked: {
    code: CloseCode.Unauthorized,
    reason: "The credentials are no longer valid.",
    cause: "revoked credentials",
    blamesPeer: true,
  },
  tooManyAttempts: {
    code: TRY_AGAIN_LATER,
    reason: "Too many credentials of this address were refused.",
    cause: "rate limit",
    blamesPeer: true,
  },
  tooManySockets: {
    code: TRY_AGAIN_LATER,
    reason: "Too many sockets.",
    cause: "too many sockets",
    blamesPeer: true,
  },
  providerUnavailable: {
    code: TRY_AGAIN_LATER,
    reason: "The identity provider cannot be reached. Try again later.",
    cause: "identity provider unavailable",
    blamesPeer: false,
  },
  failed: {
    code: TRY_AGAIN_LATER,
    reason: "The gateway failed. Try again later.",
    cause: "failure",
    blamesPeer: false,
  },
} as const satisfies Record<string, SocketRefusal>;
