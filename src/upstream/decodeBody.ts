// Decodes the body of a response whose Content-Encoding is not identity. The gateway asks for identity, but a proxy before the
// service may compress nevertheless.
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { contractError } from "./serviceResponse.ts";

type Decode = (body: Buffer, limits: { maxOutputLength: number }) => Buffer;

const decoders: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  // By its standard with a head, and from some servers without it.
  deflate: (body, limits) => (hasZlibHead(body) ? inflateSync(body, limits) : inflateRawSync(body, limits)),
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};
/** What servers write where nothing is encoded. */
const plain = ["", "identity", "none", "utf-8", "utf8"];
const MAX_ENCODINGS = 2;

/** `encoding`: the header. Throws UPSTREAM_CONTRACT for one that is not known, a damaged body, or more than `maxBytes` bytes. */
export function decodeBody(body: Buffer, encoding: string | undefined, maxBytes: number): Buffer {
  const names = (encoding ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const encoded = names.filter((name) => !plain.includes(name)).toReversed();
  if (encoded.length > MAX_ENCODINGS || encoded.some((name) => !Object.hasOwn(decoders, name)))
    throw contractError("The service's answer has a Content-Encoding that the gateway does not know.");
  try {
    return encoded.reduce((rest, name) => (decoders[name] as Decode)(rest, { maxOutputLength: maxBytes }), body);
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw contractError(
      isTooLarge
        ? "The service's answer is too large when it is decoded."
        : "The service's answer is not what its Content-Encoding says.",
    );
  }
}

const hasZlibHead = (body: Buffer) =>
  body.length > 1 && (body.readUInt8(0) & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0;
