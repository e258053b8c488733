// How many bytes of a connection the operating system has not taken yet. A large answer is one write, and `writableLength`
// stays the same until all of it has left. Only Node's socket handle shows the progress in between, and it has no public
// API. This is the one file that reads it; test/server/connections/socketProgressContract.test.ts fails when Node changes it.
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";

interface SocketHandle {
  bytesWritten: number;
  writeQueueSize: number;
}

const handleOf = (stream: Duplex) => (stream as { _handle?: SocketHandle | null })._handle;

/** Bytes that the operating system has taken for the peer since the connection was opened. */
export function bytesTaken(socket: Socket): number {
  const handle = handleOf(socket);
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten;
}

/** Bytes of the current writes that the operating system has not taken yet; 0 for a closed connection. */
export function bytesQueued(stream: Duplex): number {
  return handleOf(stream)?.writeQueueSize ?? 0;
}
