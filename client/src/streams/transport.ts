// What a WebSocket and a stream of server-sent events have in common.
import type { GraphResult } from "../http/answerErrors.ts";
import type { Refused } from "../http/credentials.ts";
import type { Payload } from "../http/httpTransport.ts";
import type { SwitchboardError } from "../switchboardError.ts";

/** Why a subscription ended. */
export interface Ending {
  /** Null: it is complete. */
  error: SwitchboardError | null;
  /** What was sent as `authorization`. */
  authorization?: string | undefined;
  /** No WebSocket was opened, and the gateway did not say why: a proxy may block them. */
  isBlocked?: boolean;
  /** It would fail again, whatever its error says. */
  isFinal?: boolean;
}

export interface Sink {
  next(result: GraphResult): unknown;
  /** Called once; nothing follows. */
  end(ending: Ending): void;
}

/** Starts one subscription. The returned function ends it at once, without a call of the sink. It never throws. */
export type Subscribe = (payload: Payload, sink: Sink, refused: Refused | null) => () => void;

/** Milliseconds without a byte after which a connection is dead. The gateway sends something every 12 seconds. */
export const SILENCE_MS = 30_000;

export function isRefusal({ code }: SwitchboardError): boolean {
  return code === "UNAUTHENTICATED";
}

/** Milliseconds for which WebSockets are not tried again. */
const BLOCKED_MS = 300_000;

/**
 * Subscribes by WebSocket. If none can be opened, the same attempt goes on by server-sent events. If these work, later attempts
 * use them at once, until WebSockets get another chance after five minutes.
 */
export function withFallback(socket: Subscribe | null, eventStream: Subscribe): Subscribe {
  let blockedUntil = 0;
  return (payload, sink, refused) => {
    if (!socket || Date.now() < blockedUntil) return eventStream(payload, sink, refused);
    const next = (result: GraphResult) => {
      blockedUntil = Date.now() + BLOCKED_MS;
      sink.next(result);
    };
    const end = (ending: Ending) => {
      if (ending.isBlocked) stop = eventStream(payload, { next, end: sink.end }, refused);
      else sink.end(ending);
    };
    let stop = socket(payload, { next: sink.next, end }, refused);
    return () => stop();
  };
}
