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
  try {
    // Programs that copy files into each other leave several marks.
    return decoderFor(bytes)
      .decode(bytes)
      .replace(/^\uFEFF+/, "");
  } catch {
    return null;
  }
}

function decoderFor(bytes: Uint8Array): TextDecoder {
  const mark = MARKS.find((each) => each.bytes.every((byte, at) => bytes[at] === byte));
  return new TextDecoder(mark?.encoding ?? "utf-8", { fatal: true });
}

/** Whether more bytes can make it a text: it ends within a character, or within its mark. */
function isBeginningOfText(bytes: Uint8Array): boolean {
  if (MARKS.some((mark) => bytes.every((byte, at) => mark.bytes[at] === byte))) return true;
  try {
    decoderFor(bytes).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The largest list of keys, policies or trusted documents. */
const MAX_JSON_BYTES = 32 * 1024 * 1024;

/**
 * Throws an Error while the file cannot be read or ends within a character, as while a program writes it, and a FinalError if it is no
 * text or larger. Both messages follow the file's name.
 */
export function readTextFileSync(file: string, maxBytes: number): string {
  try {
    return textOf(readBytesSync(file, maxBytes));
  } catch (error) {
    return throwUnreadable(error as Error);
  }
}

/**
 * The value of a JSON file. Throws as readTextFileSync, and an error that says where the file stops being JSON, and `rule`: a FinalError
 * unless it is the end, because a program may still be writing the rest.
 */
export async function readJsonFile(file: string, rule: string): Promise<unknown> {
  const text = textOf(await readBytes(file, MAX_JSON_BYTES).catch(throwUnreadable));
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const at = endOfJson(text, error as SyntaxError);
    const message = `is not JSON${at === null ? "" : placeAt(text, at)}: ${rule}`;
    throw at === text.length ? new Error(message) : new FinalError(message);
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
  if (text !== null) return text;
  const message = "is not text in UTF-8: save it with that encoding";
  throw isBeginningOfText(bytes) ? new Error(message) : new FinalError(message);
}

function throwUnreadable(error: NodeJS.ErrnoException): never {
  if (error instanceof FinalError || error.code === undefined) throw error;
  throw new Error(`cannot be read (${error.code})`, { cause: error });
}

/** Where the text stops being JSON; null: the parser does not tell every place. Its message would quote the file. */
function endOfJson(text: string, { message }: SyntaxError): number | null {
  if (message.startsWith("Unexpected end")) return text.length;
  const [, found] = / at position (\d+)/.exec(message) ?? [];
  return found === undefined ? null : Number(found);
}

/** ` (line 3, column 5)` */
function placeAt(text: string, at: number): string {
  const lines = text.slice(0, at).split("\n");
  return ` (line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1})`;
}
