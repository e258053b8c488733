// The body of a request: read whole within a limit, or let through unread, so that its sender hears why it was refused.
import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * The whole body; null as soon as it is known to be over the limit, before the rest of it was kept. What still comes is
 * for `endLingering`. Rejects where the sender leaves in the middle.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | null> {
  const told = Number(request.headers["content-length"] ?? 0);
  if (told > limit) return null;
  if (request.destroyed) throw left();
  // Most come in one piece with their head: nothing is left to wait for.
  return told > 0 && request.readableLength === told ? takeWhole(request) : readAsItComes(request, limit);
}

function takeWhole(request: IncomingMessage): Buffer {
  const body = request.read() as Buffer;
  // Its end is still to be met.
  request.resume();
  return body;
}

function readAsItComes(request: IncomingMessage, limit: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (body: Buffer | null, error?: Error) => {
      request.off("data", take).off("end", end).off("close", leave).off("error", leave);
      if (error) reject(error);
      else resolve(body);
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) finish(null);
      else chunks.push(chunk);
    };
    const end = () => finish(Buffer.concat(chunks, length));
    const leave = () => finish(null, left());
    request.on("data", take).once("end", end).once("close", leave).once("error", leave);
  });
}

const left = () => new Error("the sender left before its body was whole");

const LINGER_MS = 1000;

/**
 * Writes an answer that refuses the request, and ends it when the body has gone by, or after a second. A connection that is
 * closed while its sender still writes takes the answer with it.
 */
export function endLingering(request: IncomingMessage, response: ServerResponse, body: string): void {
  if (request.complete || request.destroyed) {
    response.end(body);
    return;
  }
  response.write(body);
  const cut = setTimeout(finish, LINGER_MS);
  function finish(): void {
    clearTimeout(cut);
    request.off("end", finish).off("close", finish);
    response.end();
  }
  request.once("end", finish).once("close", finish).resume();
}
