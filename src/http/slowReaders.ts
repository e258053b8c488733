// Finds peers that read what waits for them too slowly: a few bytes now and then would hold an answer in memory for hours.
// The same rule for every connection: answers, server-sent events and WebSockets.
import type { Socket } from "node:net";
import { READING } from "./limits.ts";

export interface SlowReaders {
  /**
   * Those of the connections, all that there are, for which bytes have been waiting for a minute or longer, and whose peers
   * took within a minute neither all that waited at its beginning nor READING.leastBytes. To be called every few seconds.
   */
  find(connections: Iterable<Socket>): Socket[];
}

/** The state at the beginning of a period. */
interface Mark {
  at: number;
  taken: number;
  /** Bytes to be taken until the period ends. */
  due: number;
}

/** `now`: milliseconds, from anywhere. */
export function createSlowReaders(now: () => number = () => performance.now()): SlowReaders {
  const marks = new WeakMap<Socket, Mark>();

  function isSlow(socket: Socket, at: number): boolean {
    if (socket.writableLength === 0) {
      marks.delete(socket);
      return false;
    }
    const mark = marks.get(socket);
    if (mark && at - mark.at < READING.periodMs) return false;
    const taken = takenFrom(socket);
    if (mark && taken - mark.taken < mark.due) return true;
    marks.set(socket, { at, taken, due: Math.min(READING.leastBytes, socket.bytesWritten - taken) });
    return false;
  }

  return {
    find(connections) {
      const at = now();
      const slow: Socket[] = [];
      for (const socket of connections) if (isSlow(socket, at)) slow.push(socket);
      return slow;
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
