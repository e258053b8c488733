// Subscribes by WebSocket. The subscriptions of a client share one socket, up to the gateway's limit for a socket.
import { toSwitchboardError } from "../http/answerErrors.ts";
import type { AskCredentials, Refused } from "../http/credentials.ts";
import type { SocketConstructor } from "./guardSocket.ts";
import { openSocket, type OpenSocket } from "./openSocket.ts";
import { isRefusal, type Ending, type Subscribe } from "./transport.ts";

/** The gateway runs as many on a socket. */
const MAX_SUBSCRIPTIONS = 100;

interface SharedSocket {
  opening: Promise<OpenSocket>;
  subscriptions: number;
}

export interface SocketTransport {
  subscribe: Subscribe;
  /** Closes the socket, if there is one. */
  close(): void;
}

export function createSocketTransport(url: string, ask: AskCredentials, impl: SocketConstructor): SocketTransport {
  let current: SharedSocket | null = null;

  function forget(shared: SharedSocket | null): void {
    if (current === shared) current = null;
  }
  /** The gateway closes a socket whose credentials it refuses, but a new subscription must not meet it before. */
  function leave(shared: SharedSocket | null): void {
    forget(shared);
    shared?.opening.then((socket) => socket.close()).catch(() => undefined);
  }
  function share(refused: Refused | null): SharedSocket {
    if (current && current.subscriptions < MAX_SUBSCRIPTIONS) return current;
    const opening = ask(refused).then((authorization) =>
      openSocket({ url: socketUrl(url), impl, authorization, onEnd: () => forget(shared) }),
    );
    const shared: SharedSocket = { opening, subscriptions: 0 };
    opening.catch(() => forget(shared));
    current = shared;
    return shared;
  }

  return {
    subscribe(payload, sink, refused) {
      const shared = share(refused);
      let unsubscribe = () => {};
      let isEnded = false;
      shared.subscriptions += 1;
      function stop(): void {
        if (isEnded) return;
        isEnded = true;
        shared.subscriptions -= 1;
        unsubscribe();
      }
      function end(ending: Ending): void {
        if (isEnded) return;
        stop();
        if (ending.error && isRefusal(ending.error)) leave(shared);
        sink.end(ending);
      }
      shared.opening.then(
        (socket) => {
          if (!isEnded)
            unsubscribe = socket.subscribe(payload, { next: (result) => isEnded || sink.next(result), end });
        },
        (error: unknown) => end({ error: toSwitchboardError(error) }),
      );
      return stop;
    },
    close: () => leave(current),
  };
}

/** Only when it is needed: a server that renders pages has no location. */
function socketUrl(url: string): string {
  const { location } = globalThis as { location?: { href: string } };
  return new URL(url, location?.href).href.replace(/^http/, "ws");
}
