// The body of a request: read whole within a limit, or let through unread, so that its sender hears why it was refused.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ReserveBytes } from "./bodyBudget.ts";
import { BODY_BUDGET } from "../../config/limits.ts";

/** Why a body was not read: it is over the limit, or too much of bodies is kept already. */
export type BodyRefusal = "too large" | "too much";

/**
 * The whole body, or why it is none, as soon as that is known and before the rest of it was kept. What still comes is for
 * `endLingering`. `openBudget` is called for a body that is counted. Rejects where the sender leaves in the middle.
 */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  openBudget: () => ReserveBytes,
): Promise<Buffer | BodyRefusal> {
  const told = Number(request.headers["content-length"] ?? 0);
  if (told > limit) return "too large";
  if (request.destroyed) throw left();
  // Most come in one piece with their head: nothing is left to wait for.
  if (told > 0 && request.readableLength === told) return takeWhole(request);
  return readAsItComes(request, limit, told > 0 && told <= BODY_BUDGET.uncounted ? reserveUnlimited : openBudget());
}

/** Of bodies that are not counted. */
export const reserveUnlimited: ReserveBytes = () => true;

function takeWhole(request: IncomingMessage): Buffer {
  const body = request.read() as Buffer;
  // Its end is still to be met.
  request.resume();
  return body;
}

function readAsItComes(request: IncomingMessage, limit: number, keep: ReserveBytes): Promise<Buffer | BodyRefusal> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = () => request.off("data", take).off("end", end).off("close", leave).off("error", leave);
    const finish = (body: Buffer | BodyRefusal) => {
      stop();
      resolve(body);
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) finish("too large");
      else if (!keep(chunk.length)) finish("too much");
      else chunks.push(chunk);
    };
    const end = () => finish(Buffer.concat(chunks, length));
    const leave = () => {
      stop();
      reject(left());
    };
    request.on("data", take).once("end", end).once("close", leave).once("error", leave);
  });
}

const left = () => new Error("the sender left before its body was whole");

const LINGER_MS = 1000;
/** Bytes of a refused body that are read: a sender may send gigabytes in a second. */
const LINGER_BYTES = 1024 * 1024;

/**
 * Writes an answer that refuses the request, and ends it when the body has gone by, or after a second, in which a megabyte of
 * it is read at most. A connection that is
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
  let read = 0;
  request.once("end", finish).once("close", finish);
  request.on("data", ({ length }: Buffer) => {
    read += length;
    if (read > LINGER_BYTES) request.pause();
  });
}
