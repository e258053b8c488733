// Why a WebSocket is closed because of its credentials or its place, and the close code that its client is told. Which of
// the codes a graphql-ws client takes for final is told in docs/security.md.
import { CloseCode } from "graphql-ws";
import type { Log } from "../log.ts";
import { createLogAggregator, type LogAggregator } from "../util/logAggregator.ts";
import { TRY_AGAIN_LATER } from "./closeCodes.ts";

export interface SocketRefusal {
  code: number;
  /** For the client. */
  reason: string;
  /** For the log. */
  cause: string;
  /** Whether it counts against the peer's address: not where the gateway, or what it needs, is to blame. */
  isOfPeer: boolean;
}

export const refusals = {
  missing: { code: CloseCode.Forbidden, reason: "Forbidden", cause: "no credentials", isOfPeer: true },
  wrong: { code: CloseCode.Forbidden, reason: "Forbidden", cause: "wrong credentials", isOfPeer: true },
  repeated: {
    code: CloseCode.Unauthorized,
    reason: "These credentials were refused before.",
    cause: "wrong credentials again",
    isOfPeer: true,
  },
  expired: { code: CloseCode.Forbidden, reason: "The token has ended.", cause: "ended token", isOfPeer: true },
  revoked: {
    code: CloseCode.Unauthorized,
    reason: "The credentials no longer hold.",
    cause: "revoked credentials",
    isOfPeer: true,
  },
  tooManyTries: {
    code: TRY_AGAIN_LATER,
    reason: "Too many credentials of this address were refused.",
    cause: "rate limit",
    isOfPeer: true,
  },
  tooManySockets: {
    code: TRY_AGAIN_LATER,
    reason: "Too many sockets.",
    cause: "too many sockets",
    isOfPeer: true,
  },
  notJudged: {
    code: TRY_AGAIN_LATER,
    reason: "The identity provider cannot be reached. Try again later.",
    cause: "identity provider unavailable",
    isOfPeer: false,
  },
  failed: { code: TRY_AGAIN_LATER, reason: "The gateway failed. Try again later.", cause: "failure", isOfPeer: false },
} as const satisfies Record<string, SocketRefusal>;

const LOG_EVERY_MS = 60_000;

/** Counts causes: the first is logged at once, and those behind it once a minute, for anybody can bring them about. */
export function createRefusalLog(log: Log): LogAggregator {
  const write = (causes: Record<string, number>) => log.warn({ causes }, "WebSockets were refused");
  return createLogAggregator(write, { intervalMs: LOG_EVERY_MS, reportsFirstAtOnce: true });
}
