// A service that accepts each task, and has nothing else.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export async function startAcceptingService(): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    request.resume();
    request.once("end", () => response.setHeader("content-type", "application/json").end("{}"));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
