// How many connections wait for a program to take them, as Linux tells it; elsewhere nothing is known.
import { open } from "node:fs/promises";

const LISTENS = "0A";
/** Listening sockets come first, and the whole table is long where there are many connections. */
const HEAD_BYTES = 16 * 1024;

/** Of the socket that listens on this port of 127.0.0.1; null where the system does not tell. */
export async function acceptQueueOf(url: string): Promise<number | null> {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0");
  await using file = await open("/proc/net/tcp").catch(() => null);
  if (!file) return null;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const table = buffer.toString("latin1", 0, bytesRead);
  for (const line of table.split("\n")) {
    const [, local, , state, queues] = line.trim().split(/\s+/);
    if (state === LISTENS && local?.endsWith(`:${port}`)) return Number.parseInt(queues?.split(":")[1] ?? "0", 16);
  }
  return null;
}
