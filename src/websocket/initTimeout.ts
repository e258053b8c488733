// How long a socket may take to say who it is.

const INIT_MS = 3000;

/**
 * Calls back when what it gives was not called in time. After a long turn of the event loop, what had arrived meanwhile is
 * read first: where thousands come at once, the gateway's own lateness must not send them away to come again.
 */
export function awaitInit(onLate: () => void): () => void {
  let isAwaited = true;
  // Not kept when it is over: what gives up the wait lives as long as the socket.
  let timer: NodeJS.Timeout | undefined = setTimeout(() => afterReading(() => isAwaited && onLate()), INIT_MS);
  return () => {
    isAwaited = false;
    clearTimeout(timer);
    timer = undefined;
  };
}

/** What has arrived is read before the first setImmediate, and its message is told by one of its own (wsOptions.ts). */
function afterReading(then: () => void): void {
  setImmediate(() => setImmediate(then));
}
