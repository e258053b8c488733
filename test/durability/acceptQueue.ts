// Reads from Linux how many connections wait to be accepted. Other systems have no such table.
import { open } from "node:fs/promises";

const LISTEN_STATE = "0A";
/** Listening sockets come first, so that the rest of the table need not be read. */
const HEAD_BYTES = 16 * 1024;

/** The number of connections that wait at the listening socket of this URL's port; null if the system has no table. */
export async function acceptQueueLength(url: string): Promise<number | null> {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0");
  await using file = await open("/proc/net/tcp").catch(() => null);
  if (!file) return null;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const table = buffer.toString("latin1", 0, bytesRead);
  for (const line of table.split("\n")) {
    const [, local, , state, queues] = line.trim().split(/\s+/);
    if (state === LISTEN_STATE && local?.endsWith(`:${port}`)) return Number.parseInt(queues?.split(":")[1] ?? "0", 16);
  }
  return null;
}
