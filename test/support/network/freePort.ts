// Free ports of the loopback, for programs that cannot take one themselves, and for servers that come back at their port.
import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** Below the ports that systems give to connections and to `listen(0)`: while a server is away, nothing takes its port. */
const FIRST = 20_000;
const COUNT = 12_000;

/** No other process of a test run gets it until this process ends. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + 2 * Math.floor((Math.random() * COUNT) / 2);
    // The port above it stays taken, and so marks the pair as given away.
    const mark = await listenAt(port + 1);
    if (mark === null) continue;
    const server = await listenAt(port);
    if (server === null) {
      mark.close();
      continue;
    }
    mark.unref();
    await once(server.close(), "close");
    return port;
  }
}

export const freePorts = (count: number): Promise<number[]> => Promise.all(Array.from({ length: count }, freePort));

/** Null if it is taken. */
async function listenAt(port: number): Promise<Server | null> {
  const server = createServer().listen(port, "127.0.0.1");
  return once(server, "listening").then(
    () => server,
    () => null,
  );
}
