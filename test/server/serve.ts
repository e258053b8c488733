import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";

/** A real HTTP server, closed with its scope. */
export async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Sends raw bytes, and resolves with the whole response when the peer closes the connection. */
export async function exchange(port: number, ...parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.on("error", () => undefined);
  for (const part of parts) socket.write(part);
  await new Promise((resolve) => socket.once("close", resolve));
  return Buffer.concat(chunks).toString("latin1");
}
