import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { startFakeService } from "../support/fakeService.ts";

/** A real HTTP server, closed with its scope. */
export async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  return startFakeService(createServer(answer));
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
