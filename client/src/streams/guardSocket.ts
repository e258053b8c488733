// Wraps the WebSocket constructor, so that the connection can be closed from outside and a constructor that throws, as under a
// content security policy, ends like a connection that failed.

/** The part of the standard interface that is used; globalThis.WebSocket and that of the package ws have it. */
interface Socket {
  close(code?: number, reason?: string): void;
}

export type SocketConstructor = new (url: string, protocols?: string | string[]) => Socket;

export interface GuardedSocket {
  impl: SocketConstructor;
  /** Closes the socket that was made last. */
  close(code: number, reason: string): void;
}

export function guardSocket(Impl: SocketConstructor): GuardedSocket {
  let socket: Socket | null = null;
  function Guarded(url: string, protocols?: string): Socket {
    try {
      socket = new Impl(url, protocols);
    } catch (error) {
      socket = failedSocket(error);
    }
    return socket;
  }
  Object.assign(Guarded, { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 });
  return {
    impl: Guarded as unknown as SocketConstructor,
    close: (code, reason) => socket?.close(code, reason),
  };
}

const ignore = (_event: unknown): void => {};

function failedSocket(error: unknown): Socket {
  const socket = { readyState: 3, close() {}, onerror: ignore, onclose: ignore };
  queueMicrotask(() => {
    socket.onerror(error);
    socket.onclose({ code: 1006, reason: String(error) });
  });
  return socket;
}

/** Null: there is none, as in Node 20. */
export function findSocketConstructor(given: unknown): SocketConstructor | null {
  const found = given === undefined ? (globalThis as { WebSocket?: unknown }).WebSocket : given;
  return typeof found === "function" ? (found as SocketConstructor) : null;
}
