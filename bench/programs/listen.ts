// Starts and stops the bare programs: listens on a free loopback port, prints it in one line, and ends at SIGTERM.
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

export async function listen(server: Server): Promise<void> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  process.once("SIGTERM", () => process.exit(0));
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
}

/** Reads the whole body of a request. */
export async function bodyOf(request: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
