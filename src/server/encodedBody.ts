// A body that is the same for every client: encoded once, and sent from the same bytes to all.
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sortByWeight } from "./graphql/accept.ts";
import { matchesEtag } from "./httpResponse.ts";
import type { ResponseHeaders } from "./securityHeaders.ts";

export type Encoding = "br" | "gzip";

/** `encoded`: the encodings that exist, the preferred one first. */
export interface EncodedBody {
  plain: Buffer;
  encoded: readonly { encoding: Encoding; bytes: Buffer }[];
  /** The digest of the content, without quotes. */
  digest: string;
}

const CHUNK_BYTES = 64 * 1024;

export function encodedBody(plain: Buffer, encoded: EncodedBody["encoded"]): EncodedBody {
  return { plain, encoded, digest: createHash("sha256").update(plain).digest("base64url").slice(0, 22) };
}

/** `headers` include the content type. A client that has the body already gets 304 instead of 200. */
export async function sendEncoded(
  { headers: asked, method }: IncomingMessage,
  response: ServerResponse,
  { plain, encoded, digest }: EncodedBody,
  headers: ResponseHeaders,
  status = 200,
): Promise<void> {
  const accepted = acceptedEncodings(asked["accept-encoding"]);
  const chosen = encoded.find(({ encoding }) => accepted.includes(encoding));
  const bytes = chosen?.bytes ?? plain;
  const etag = chosen ? `"${digest}-${chosen.encoding}"` : `"${digest}"`;
  const common = { vary: "accept-encoding", ...headers, etag };
  if (status === 200 && matchesEtag(asked["if-none-match"], etag)) {
    response.writeHead(304, common).end();
    return;
  }
  const encoding = chosen ? { "content-encoding": chosen.encoding } : {};
  response.writeHead(status, { ...common, "content-length": String(bytes.length), ...encoding });
  if (method === "HEAD") return void response.end();
  // A client that disconnects early is not a failure of the gateway.
  await pipeline(Readable.from(chunksOf(bytes)), response).catch(() => undefined);
}

/** In chunks, so that only one chunk counts as unsent at a time (slowReaders.ts). */
function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

function acceptedEncodings(accepted: string | undefined): string[] {
  return accepted === undefined ? [] : sortByWeight(accepted.toLowerCase()).split(/\s*,\s*/);
}
