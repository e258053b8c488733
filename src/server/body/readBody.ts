// Reads the body of a request within a limit. A refused body is discarded, so that its sender can read why it was refused.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ReserveBytes } from "./bodyBudget.ts";
import { BODY_BUDGET } from "../../config/limits.ts";
import { joinAndFree } from "../../util/bodies/freeBuffer.ts";

/** Over the limit of one body, or over the budget of all bodies in memory. */
export type BodyRefusal = "too large" | "over budget";

/**
 * Resolves with the body, or with a refusal as soon as a limit is exceeded; `endLingering` discards the rest. `openBudget` is
 * called for bodies that count towards the budget. Rejects if the client disconnects before the end.
 */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  openBudget: () => ReserveBytes,
): Promise<Buffer | BodyRefusal> {
  const contentLength = Number(request.headers["content-length"] ?? 0);
  if (contentLength > limit) return "too large";
  if (request.destroyed) throw clientLeft();
  // Most bodies arrive together with the head: there is nothing to wait for.
  if (contentLength > 0 && request.readableLength === contentLength) return readBuffered(request, contentLength);
  const isSmall = contentLength > 0 && contentLength <= BODY_BUDGET.uncounted;
  return readChunks(request, limit, isSmall ? reserveUnlimited : openBudget());
}

/** For bodies that do not count towards the budget. */
export const reserveUnlimited: ReserveBytes = () => true;

function readBuffered(request: IncomingMessage, length: number): Buffer {
  // Without a length, Node 26 gives the first of several chunks.
  const body = request.read(length) as Buffer;
  // So that the request emits "end".
  request.resume();
  return body;
}

function readChunks(request: IncomingMessage, limit: number, reserve: ReserveBytes): Promise<Buffer | BodyRefusal> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const unsubscribe = () => request.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
    const finish = (body: Buffer | BodyRefusal) => {
      unsubscribe();
      resolve(body);
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) finish("too large");
      else if (!reserve(chunk.length)) finish("over budget");
      else chunks.push(chunk);
    };
    const onEnd = () => finish(joinAndFree(chunks));
    const onClose = () => {
      unsubscribe();
      reject(clientLeft());
    };
    request.on("data", onData).once("end", onEnd).once("close", onClose).once("error", onClose);
  });
}

const clientLeft = () => new Error("The client disconnected before its body was complete.");

const LINGER_MS = 1000;
/** Bytes of a refused body that are read: a client could send gigabytes in a second. */
const MAX_LINGER_BYTES = 1024 * 1024;

/**
 * Writes a refusal, and ends the response when the request's body has arrived, at the latest after a second and a megabyte.
 * If the connection were closed while the client is still sending, the client might not receive the response.
 */
export function endLingering(request: IncomingMessage, response: ServerResponse, body: string): void {
  if (request.complete || request.destroyed) {
    response.end(body);
    return;
  }
  response.write(body);
  const timer = setTimeout(finish, LINGER_MS);
  function finish(): void {
    clearTimeout(timer);
    request.off("end", finish).off("close", finish);
    response.end();
  }
  let discarded = 0;
  request.once("end", finish).once("close", finish);
  request.on("data", ({ length }: Buffer) => {
    discarded += length;
    if (discarded > MAX_LINGER_BYTES) request.pause();
  });
}
