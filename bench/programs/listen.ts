// How the bare programs begin and end: on a free port of the loopback, told in one line; at SIGTERM, gone.
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

export async function listen(server: Server): Promise<void> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  process.once("SIGTERM", () => process.exit(0));
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
}

/** Every byte of a request's body. */
export async function bodyOf(request: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
