// Finds peers that read what waits for them too slowly: a few bytes now and then would hold an answer in memory for hours.
// The same rule for every connection: answers, server-sent events and WebSockets.
import type { Socket } from "node:net";
import { SLOW_READER_LIMITS } from "../../config/limits.ts";

export interface SlowReaders {
  /**
   * Of all connections there are, those to be cut (see SLOW_READER_LIMITS): their peers took too little within a minute, or too much
   * waits for all peers together and for theirs the longest. To be called every second.
   */
  find(connections: Iterable<Socket>): Socket[];
}

/** A connection on which bytes wait. */
interface Mark {
  since: number;
  /** The beginning of a period, and what had been taken by then. */
  at: number;
  taken: number;
  /** Bytes to be taken until the period ends. */
  due: number;
}

export interface SlowReadersOptions {
  /** Milliseconds, from anywhere. */
  now?: () => number;
  /** Bytes, of all connections. */
  maxWaitingBytes?: number;
}

export function createSlowReaders({
  now = () => performance.now(),
  maxWaitingBytes: mostWaiting = SLOW_READER_LIMITS.totalBytes,
}: SlowReadersOptions = {}): SlowReaders {
  const marks = new WeakMap<Socket, Mark>();

  /** False where the period was over, and too little was taken in it. */
  function keepsRate(socket: Socket, at: number): boolean {
    const mark = marks.get(socket);
    if (mark && at - mark.at < SLOW_READER_LIMITS.periodMs) return true;
    const taken = takenFrom(socket);
    const isSlow = mark !== undefined && taken - mark.taken < mark.due;
    const due = Math.min(SLOW_READER_LIMITS.minBytes, socket.bytesWritten - taken);
    marks.set(socket, { since: mark?.since ?? at, at, taken, due });
    return !isSlow;
  }
  /** Those that have been waiting longest, until no more waits than may. */
  function beyond(waiting: Socket[]): Socket[] {
    let bytes = 0;
    for (const socket of waiting) bytes += socket.writableLength;
    if (bytes <= mostWaiting) return [];
    const sinceOf = (socket: Socket) => marks.get(socket)?.since ?? Infinity;
    const cut: Socket[] = [];
    for (const socket of waiting.toSorted((a, b) => sinceOf(a) - sinceOf(b))) {
      if (bytes <= mostWaiting) break;
      bytes -= socket.writableLength;
      cut.push(socket);
    }
    return cut;
  }

  return {
    find(connections) {
      const at = now();
      const waiting: Socket[] = [];
      const slow: Socket[] = [];
      for (const socket of connections) {
        if (socket.writableLength === 0) marks.delete(socket);
        else (keepsRate(socket, at) ? waiting : slow).push(socket);
      }
      return slow.concat(beyond(waiting));
    },
  };
}

/**
 * Bytes that the system has taken for the peer. A large answer is one write: only its handle tells how much of it is left, as
 * net.Socket itself reads it for setTimeout.
 */
function takenFrom(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { bytesWritten: number; writeQueueSize: number } | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten;
}
