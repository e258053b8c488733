// HTTP pipelining: a client may send requests before it has read the answers to earlier ones. Answers leave in the order of
// their requests, so early answers would wait in memory. Instead, a request waits until its answer can be written.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { PIPELINING_LIMITS } from "../../config/limits.ts";

export interface Pipelining {
  /**
   * Calls `run` when all earlier answers of the connection were taken, or at once if `isSmall` (the answer has a few bytes).
   * Does not call it if the client has disconnected by then.
   */
  enter(request: IncomingMessage, response: ServerResponse, isSmall: boolean, run: () => void): void;
  /** Whether an answer of the connection was not taken yet. */
  isBusy(socket: Socket): boolean;
}

/** `cut` is called with a connection that has too many unanswered requests, and must destroy it. */
export function createPipelining(cut: (socket: Socket) => void): Pipelining {
  const unanswered = new WeakMap<Socket, number>();
  const paused = new WeakSet<Socket>();

  function pause(socket: Socket): void {
    if (paused.has(socket)) return;
    paused.add(socket);
    socket.on("resume", pauseAgain).pause();
  }
  function resume(socket: Socket): void {
    if (!paused.delete(socket)) return;
    socket.off("resume", pauseAgain).resume();
  }
  // One function for all responses instead of a closure for each: most connections do not pipeline.
  function onClose(this: ServerResponse): void {
    const { socket } = this.req;
    const left = (unanswered.get(socket) ?? 1) - 1;
    if (left > 0) unanswered.set(socket, left);
    else unanswered.delete(socket);
    if (left <= 1) resume(socket);
  }

  return {
    enter(request, response, isSmall, run) {
      const { socket } = request;
      // Requests that came in the same read as the excess one.
      if (socket.destroyed) return;
      const count = (unanswered.get(socket) ?? 0) + 1;
      unanswered.set(socket, count);
      response.on("close", onClose);
      // Node assigns the socket to a response when all earlier answers were taken.
      if (response.socket) return run();
      if (count > PIPELINING_LIMITS.closed) return cut(socket);
      if (count > PIPELINING_LIMITS.paused) pause(socket);
      if (isSmall) return run();
      response.once("socket", () => process.nextTick(() => response.destroyed || run()));
    },
    isBusy: (socket) => unanswered.has(socket),
  };
}

/** Node resumes a socket whenever the body of a request is read. */
function pauseAgain(this: Socket): void {
  this.pause();
}
