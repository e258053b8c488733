// Decodes the body of a response whose Content-Encoding is not identity. The gateway asks for identity, but a proxy before the
// service may compress nevertheless.
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import * as zlib from "node:zlib";
import { contractError } from "./serviceResponse.ts";

type Decode = (body: Buffer, limits: { maxOutputLength: number }) => Buffer;

interface Decoder {
  whole: Decode;
  /** `head`: the first bytes. */
  parts: (head: Buffer) => Duplex;
}

const gzip: Decoder = { whole: zlib.gunzipSync, parts: () => zlib.createGunzip() };
const decoders: Readonly<Record<string, Decoder>> = {
  gzip,
  "x-gzip": gzip,
  // By its standard with a head, and from some servers without it.
  deflate: {
    whole: (body, limits) => (hasZlibHead(body) ? zlib.inflateSync(body, limits) : zlib.inflateRawSync(body, limits)),
    parts: (head) => (hasZlibHead(head) ? zlib.createInflate() : zlib.createInflateRaw()),
  },
  br: { whole: zlib.brotliDecompressSync, parts: () => zlib.createBrotliDecompress() },
  zstd: { whole: zlib.zstdDecompressSync, parts: () => zlib.createZstdDecompress() },
};
/** What servers write where nothing is encoded. */
const plain = ["", "identity", "none", "utf-8", "utf8", "binary", "7bit", "8bit", "aws-chunked"];
const MAX_ENCODINGS = 2;

/** `encoding`: the header. Throws UPSTREAM_CONTRACT for one that is not known, a damaged body, or more than `maxBytes` bytes. */
export function decodeBody(body: Buffer, encoding: string | undefined, maxBytes: number): Buffer {
  const encoded = decodersOf(encoding);
  if (encoded === null)
    throw contractError("The service's answer has a Content-Encoding that the gateway does not know.");
  try {
    return encoded.reduce((rest, { whole }) => whole(rest, { maxOutputLength: maxBytes }), body);
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw contractError(
      isTooLarge
        ? "The service's answer is too large when it is decoded."
        : "The service's answer is not what its Content-Encoding says.",
    );
  }
}

/** Whether the encodings of the header are known. */
export const canDecode = (encoding: string | undefined): boolean => decodersOf(encoding) !== null;

/**
 * The same for a body of any size, part by part; who reads it bounds its size. Throws an error of zlib for a damaged body, and what
 * `body` throws.
 */
export function decodeParts(body: AsyncIterable<Buffer>, encoding: string | undefined): AsyncIterable<Buffer> {
  return (decodersOf(encoding) ?? []).reduce(decodedBy, body);
}

async function* decodedBy(encoded: AsyncIterable<Buffer>, { parts }: Decoder): AsyncGenerator<Buffer> {
  const iterator = encoded[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return;
  const rest = { [Symbol.asyncIterator]: () => iterator };
  async function* whole() {
    yield first.value as Buffer;
    yield* rest;
  }
  const decoded = parts(first.value);
  // The reader of `decoded` gets the error.
  const done = pipeline(whole, decoded).catch(() => undefined);
  yield* decoded as AsyncIterable<Buffer>;
  await done;
}

/** In the order in which they decode. Null: one is not known. */
function decodersOf(encoding = ""): Decoder[] | null {
  if (encoding === "") return [];
  const names = encoding.toLowerCase().split(",");
  const encoded = names
    .map((name) => name.trim())
    .filter((name) => !plain.includes(name))
    .toReversed();
  const known = encoded.flatMap((name) => (Object.hasOwn(decoders, name) ? [decoders[name] as Decoder] : []));
  return encoded.length > MAX_ENCODINGS || known.length < encoded.length ? null : known;
}

const hasZlibHead = (body: Buffer) =>
  body.length > 1 && (body.readUInt8(0) & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0;
