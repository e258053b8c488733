// Handles each message of a WebSocket in its viewer's turn (util/timeSlices.ts). The socket is not read while too much waits.
import { SOCKET_LIMITS } from "../config/limits.ts";
import type { TimeSlices } from "../util/timeSlices.ts";
import { pauseWhileBehind, resumeReading } from "./backpressure.ts";
import { recordProgress } from "./heartbeat.ts";
import type { Connection } from "./socketConnection.ts";

export interface MessageTurnsDeps {
  slices: Pick<TimeSlices, "waitForSlice">;
}

/** Calls `handle` at once where nothing waits. Messages of a socket stay in order; those of a closing socket are dropped. */
export type HandleInTurn = (connection: Connection, bytes: number, handle: () => void) => void;

export function createMessageTurns({ slices }: MessageTurnsDeps): HandleInTurn {
  async function handleAfter(turn: Promise<void>, connection: Connection, bytes: number, handle: () => void) {
    connection.waitingBytes += bytes;
    pauseWhileBehind(connection);
    await turn;
    const wasFull = connection.waitingBytes > SOCKET_LIMITS.waitingBytes;
    connection.waitingBytes -= bytes;
    recordProgress(connection.heartbeat);
    if (wasFull && connection.waitingBytes <= SOCKET_LIMITS.waitingBytes) resumeReading(connection);
    if (connection.socket.readyState === connection.socket.OPEN) handle();
  }
  return (connection, bytes, handle) => {
    const turn = connection.viewer === null ? undefined : slices.waitForSlice(connection.viewer);
    if (turn) void handleAfter(turn, connection, bytes, handle);
    else handle();
  };
}
