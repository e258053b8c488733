// Subscribes by WebSocket. All subscriptions of a client share one socket.
import { errorOfResult, toSwitchboardError } from "../http/answerErrors.ts";
import type { AskCredentials, Refused } from "../http/credentials.ts";
import type { SocketConstructor } from "./guardSocket.ts";
import type { Payload } from "../http/httpTransport.ts";
import { openSocket, type OpenSocket } from "./openSocket.ts";
import type { GraphError } from "../switchboardError.ts";
import { isRefusal, type Ending, type Sink, type Subscribe } from "./transport.ts";

export interface SocketTransport {
  subscribe: Subscribe;
  /** Closes the socket, if there is one. */
  close(): void;
}

export function createSocketTransport(url: string, ask: AskCredentials, impl: SocketConstructor): SocketTransport {
  let current: Promise<OpenSocket> | null = null;

  /** The gateway closes a socket whose credentials it refuses, but a new subscription must not meet it before. */
  function leave(opening: Promise<OpenSocket> | null): void {
    if (current === opening) current = null;
    opening?.then((socket) => socket.close()).catch(() => undefined);
  }
  function open(refused: Refused | null): Promise<OpenSocket> {
    if (current) return current;
    const forget = () => {
      if (current === opening) current = null;
    };
    const opening = ask(refused).then((authorization) =>
      openSocket({ url: socketUrl(url), impl, authorization, onEnd: forget }),
    );
    opening.catch(forget);
    current = opening;
    return opening;
  }

  return {
    subscribe(payload, sink, refused) {
      let stop = () => {};
      let isEnded = false;
      const end = (ending: Ending) => {
        if (isEnded) return;
        isEnded = true;
        stop();
        if (ending.refused) leave(opening);
        sink.end(ending);
      };
      const opening = open(refused);
      opening.then(
        (socket) => {
          if (!isEnded) stop = run(socket, payload, { next: (result) => isEnded || sink.next(result), end });
        },
        (error: unknown) => end({ error: toSwitchboardError(error) }),
      );
      return () => {
        isEnded = true;
        stop();
      };
    },
    close: () => leave(current),
  };
}

/** Returns the function that ends the subscription. */
function run({ client, endings, authorization }: OpenSocket, payload: Payload, { next, end }: Sink): () => void {
  endings.add(end);
  const dispose = client.subscribe(payload, {
    next: (result) => next(result as Parameters<Sink["next"]>[0]),
    error: (cause) => end(endingOf(cause, authorization)),
    complete: () => end({ error: null }),
  });
  return () => {
    endings.delete(end);
    dispose();
  };
}

function endingOf(cause: unknown, value: string | undefined): Ending {
  const error = Array.isArray(cause) ? errorOfResult({ errors: cause as GraphError[] }) : toSwitchboardError(cause);
  return { error, refused: isRefusal(error) ? { value } : undefined };
}

/** Only when it is needed: a server that renders pages has no location. */
function socketUrl(url: string): string {
  const { location } = globalThis as { location?: { href: string } };
  return new URL(url, location?.href).href.replace(/^http/, "ws");
}
