// One WebSocket with the protocol of graphql-ws on it. It never reconnects: a new connection needs new credentials, and each
// stream has a cursor of its own.
import { createClient } from "graphql-ws";
import { errorOfResult, networkError, toSwitchboardError, type GraphResult } from "../http/answerErrors.ts";
import type { Payload } from "../http/httpTransport.ts";
import { guardSocket, type SocketConstructor } from "./guardSocket.ts";
import { SwitchboardError, type GraphError } from "../switchboardError.ts";
import type { Sink } from "./transport.ts";

/** From the first byte to the acknowledgement. */
const CONNECT_MS = 10_000;
const PING_MS = 12_000;
const PONG_MS = 10_000;
/** A stream that pauses, or a component that is mounted again, finds the socket open. */
const LINGER_MS = 1000;
/** Seconds to wait after "try again later". */
const LATER_S = 5;

const TRY_AGAIN_LATER = 1013;
const CREDENTIALS_REFUSED = [4401, 4403];
/** The gateway refuses what the client does, and would refuse it again. */
const FINAL = [1003, 1007, 1009, 4400, 4406, 4409, 4429];
/** The close code of a connection that this client has given up. */
const GIVEN_UP = 4499;

export interface OpenSocket {
  /** Returns the function that ends the subscription. */
  subscribe(payload: Payload, sink: Sink): () => void;
  close(): void;
}

export interface SocketOptions {
  url: string;
  impl: SocketConstructor;
  authorization: string | undefined;
  /** Called as soon as the socket cannot be used any more. */
  onEnd: () => void;
}

/** Connects with its first subscription. */
export function openSocket({ url, impl, authorization, onEnd }: SocketOptions): OpenSocket {
  const sinks = new Set<Sink>();
  const socket = guardSocket(impl);
  let isAcknowledged = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function end(error: SwitchboardError, isBlocked: boolean): void {
    clearTimeout(timer);
    onEnd();
    for (const sink of sinks) sink.end({ error, authorization, isBlocked });
  }
  function giveUpAfter(ms: number, message: string): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      end(networkError(message), !isAcknowledged);
      socket.close(GIVEN_UP, "Gave up");
    }, ms);
  }
  const client = createClient({
    url,
    webSocketImpl: socket.impl,
    connectionParams: authorization === undefined ? {} : { authorization },
    retryAttempts: 0,
    lazyCloseTimeout: LINGER_MS,
    keepAlive: PING_MS,
    on: {
      connecting: () => giveUpAfter(CONNECT_MS, "The WebSocket was not opened in time."),
      connected: () => (isAcknowledged = true),
      ping: (isReceived) => isReceived || giveUpAfter(PONG_MS, "The gateway is silent."),
      message: () => clearTimeout(timer),
      error: (cause) => end(networkError("The WebSocket failed.", cause), !isAcknowledged),
      closed: (event) => {
        const { code, reason } = event as CloseEvent;
        end(errorOfClose(code, reason), !isAcknowledged && code < 1012);
      },
    },
  });
  return {
    subscribe(payload, sink) {
      sinks.add(sink);
      const unsubscribe = client.subscribe(payload, {
        next: (result) => sink.next(result as GraphResult),
        error: (cause) => sink.end({ error: errorOf(cause), authorization }),
        complete: () => sink.end({ error: null }),
      });
      return () => {
        sinks.delete(sink);
        unsubscribe();
      };
    },
    close: () => socket.close(1000, "Normal Closure"),
  };
}

function errorOf(cause: unknown): SwitchboardError {
  return Array.isArray(cause) ? errorOfResult({ errors: cause as GraphError[] }) : toSwitchboardError(cause);
}

function errorOfClose(code: number, reason: string): SwitchboardError {
  if (CREDENTIALS_REFUSED.includes(code)) return new SwitchboardError("UNAUTHENTICATED", reason || "Forbidden");
  const message = `The WebSocket was closed: ${code} ${reason}`.trim();
  if (FINAL.includes(code)) return new SwitchboardError("BAD_RESPONSE", message);
  return networkError(message, undefined, code === TRY_AGAIN_LATER ? LATER_S : undefined);
}
