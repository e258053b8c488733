// Starts fake services: HTTP or TCP servers on a free port of this machine.
import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";

export interface FakeService {
  /** `http://127.0.0.1:PORT` */
  url: string;
  port: number;
  /** Destroys its connections, and resolves when it is closed. */
  [Symbol.asyncDispose]: () => Promise<void>;
}

/** Resolves when the server listens. */
export async function startFakeService(server: Server): Promise<FakeService> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
