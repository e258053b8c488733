// Encodes a text in another charset than UTF-8, by the tables of the platform's decoder.

export type Charset =
  | "gbk"
  | "utf-8"
  | "utf-16le"
  | "utf-16be"
  | "latin1"
  | "euc-kr"
  | "big5"
  | "shift_jis"
  | SingleBytes;
type SingleBytes = "windows-1250" | "windows-1251" | "windows-1252" | "windows-1253" | "windows-1254" | "koi8-r";

/** Throws for a character that the charset does not have. */
export function encodeText(text: string, charset: Charset): Buffer {
  if (charset === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  if (charset === "utf-8" || charset === "utf-16le" || charset === "latin1") return Buffer.from(text, charset);
  const table = tableOf(charset);
  const bytes = Array.from(text).map((character) => {
    const own = character < "\u0080" ? Buffer.from(character) : table.get(character);
    if (!own) throw new Error(`${charset} has no ${character}.`);
    return own;
  });
  return Buffer.concat(bytes);
}

/** Pure cache: the tables that were made. */
const tables = new Map<string, ReadonlyMap<string, Buffer>>();
const tableOf = (charset: string) => tables.getOrInsertComputed(charset, () => makeTable(charset));

/** The bytes of each character beyond ASCII. */
function makeTable(charset: string): ReadonlyMap<string, Buffer> {
  const decoder = new TextDecoder(charset, { fatal: true });
  const table = new Map<string, Buffer>();
  const add = (bytes: Buffer) => {
    const text = decoded(decoder, bytes);
    if (text !== null && Array.from(text).length === 1 && !table.has(text)) table.set(text, bytes);
  };
  for (let byte = 0x80; byte <= 0xff; byte += 1) add(Buffer.from([byte]));
  for (let pair = 0x81_40; pair <= 0xfe_fe; pair += 1) add(Buffer.from([pair >> 8, pair & 0xff]));
  return table;
}

function decoded(decoder: TextDecoder, bytes: Buffer): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
