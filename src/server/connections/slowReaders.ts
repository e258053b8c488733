// Finds connections whose peers read too slowly: in a minute, they take neither 2 MiB nor all that waited. By reading a few bytes
// now and then, a peer could hold an answer in memory for hours. The same rule applies to answers, server-sent events and
// WebSockets.
import type { Socket } from "node:net";
import { SLOW_READER_LIMITS } from "../../config/limits.ts";
import { bytesTaken } from "./socketProgress.ts";

export interface SlowReaders {
  /**
   * The connections to close (limits: SLOW_READER_LIMITS): those whose peers read too little within a minute, and, if too many bytes
   * wait on all connections together, those on which bytes have waited longest. Call it every second with all connections.
   */
  find(connections: Iterable<Socket>): Socket[];
}

/** The state of a connection with unsent bytes. */
interface Progress {
  /** When bytes began to wait. */
  waitingSince: number;
  /** The start of the current period, and the bytes that had been taken by then. */
  periodStart: number;
  takenBefore: number;
  /** Bytes that the peer must take within the period. */
  requiredBytes: number;
}

export interface SlowReadersOptions {
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
  /** Unsent bytes of all connections together. */
  maxWaitingBytes?: number;
}

export function createSlowReaders({
  now = () => performance.now(),
  maxWaitingBytes = SLOW_READER_LIMITS.totalBytes,
}: SlowReadersOptions = {}): SlowReaders {
  const progressOf = new WeakMap<Socket, Progress>();

  /** False: a period is over, and the peer took too little in it. */
  function keepsRate(socket: Socket, at: number): boolean {
    const progress = progressOf.get(socket);
    if (progress && at - progress.periodStart < SLOW_READER_LIMITS.periodMs) return true;
    const taken = bytesTaken(socket);
    progressOf.set(socket, {
      waitingSince: progress?.waitingSince ?? at,
      periodStart: at,
      takenBefore: taken,
      requiredBytes: Math.min(SLOW_READER_LIMITS.minBytes, socket.bytesWritten - taken),
    });
    return progress === undefined || taken - progress.takenBefore >= progress.requiredBytes;
  }

  /** Those on which bytes have waited longest, until the rest is within maxWaitingBytes. */
  function findExcess(waiting: Socket[]): Socket[] {
    let bytes = 0;
    for (const socket of waiting) bytes += socket.writableLength;
    if (bytes <= maxWaitingBytes) return [];
    const sinceOf = (socket: Socket) => progressOf.get(socket)?.waitingSince ?? Infinity;
    const excess: Socket[] = [];
    for (const socket of waiting.toSorted((a, b) => sinceOf(a) - sinceOf(b))) {
      if (bytes <= maxWaitingBytes) break;
      bytes -= socket.writableLength;
      excess.push(socket);
    }
    return excess;
  }

  return {
    find(connections) {
      const at = now();
      const waiting: Socket[] = [];
      const slow: Socket[] = [];
      for (const socket of connections) {
        if (socket.writableLength === 0) progressOf.delete(socket);
        else (keepsRate(socket, at) ? waiting : slow).push(socket);
      }
      return slow.concat(findExcess(waiting));
    },
  };
}
