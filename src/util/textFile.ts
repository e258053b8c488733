// Reads a text file that people and their programs wrote: UTF-8, with a byte order mark or without, or UTF-16 with one, as some
// Windows programs write it. The mark is taken off. No message quotes the content.
import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { FinalError } from "./start/finalError.ts";

/** The bytes that say how the rest is encoded. */
const MARKS = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
  { bytes: [0xff, 0xfe], encoding: "utf-16le" },
  { bytes: [0xfe, 0xff], encoding: "utf-16be" },
] as const;

/** Null: the bytes are no text in the encoding that their mark names, or in UTF-8. The result has no mark. */
export function decodeText(bytes: Uint8Array): string | null {
  const mark = MARKS.find((each) => each.bytes.every((byte, at) => bytes[at] === byte));
  try {
    // Programs that copy files into each other leave several marks.
    return new TextDecoder(mark?.encoding ?? "utf-8", { fatal: true }).decode(bytes).replace(/^\uFEFF+/, "");
  } catch {
    return null;
  }
}

/** Of lists of keys and policies, and of trusted documents. */
const MAX_JSON_BYTES = 32 * 1024 * 1024;

/** Throws an Error while the file cannot be read, and a FinalError if it is no text or larger. Both messages follow the file's name. */
export function readTextFileSync(file: string, maxBytes: number): string {
  try {
    return textOf(readBytesSync(file, maxBytes));
  } catch (error) {
    return throwUnreadable(error as Error);
  }
}

/** The value of a JSON file. Throws as readTextFileSync, and a FinalError that says where the file stops being JSON, and `rule`. */
export async function readJsonFile(file: string, rule: string): Promise<unknown> {
  const text = textOf(await readBytes(file, MAX_JSON_BYTES).catch(throwUnreadable));
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new FinalError(`is not JSON${placeOf(text, error as SyntaxError)}: ${rule}`);
  }
}

/**
 * A device such as /dev/zero, or a wrong file, fills no memory. Rejects with Node's error, and with a FinalError whose message follows the
 * file's name if the file is larger.
 */
export async function readBytes(file: string, maxBytes: number): Promise<Buffer> {
  // `end` is the place of the last byte.
  const bytes = Buffer.concat(await createReadStream(file, { end: maxBytes }).toArray());
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

const CHUNK_BYTES = 64 * 1024;

function readBytesSync(file: string, maxBytes: number): Buffer {
  const handle = openSync(file, "r");
  try {
    const chunks: Buffer[] = [];
    for (let size = 0; size <= maxBytes;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const bytes = readSync(handle, chunk);
      if (bytes === 0) return Buffer.concat(chunks);
      size += bytes;
      chunks.push(chunk.subarray(0, bytes));
    }
    throw tooLarge(maxBytes);
  } finally {
    closeSync(handle);
  }
}

const tooLarge = (maxBytes: number) => new FinalError(`has more than ${maxBytes} bytes`);

function textOf(bytes: Buffer): string {
  const text = decodeText(bytes);
  if (text === null) throw new FinalError("is not text in UTF-8: save it with that encoding");
  return text;
}

function throwUnreadable(error: NodeJS.ErrnoException): never {
  if (error instanceof FinalError) throw error;
  throw new Error(`cannot be read (${error.code ?? "unknown cause"})`, { cause: error });
}

/** ` (line 3, column 5)`; the parser does not tell every place. Its message would quote the file. */
function placeOf(text: string, { message }: SyntaxError): string {
  const [, found] = / at position (\d+)/.exec(message) ?? [];
  const isAtEnd = message.startsWith("Unexpected end");
  if (found === undefined && !isAtEnd) return "";
  const lines = text.slice(0, isAtEnd ? text.length : Number(found)).split("\n");
  return ` (line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1})`;
}
