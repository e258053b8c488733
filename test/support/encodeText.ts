// Encodes a text in another charset than UTF-8, by the tables of the platform's decoder.

type Charset = "gbk" | "utf-8" | "utf-16le" | "utf-16be" | "latin1" | "euc-kr" | "big5";

export function encodeText(text: string, charset: Charset): Buffer {
  if (charset === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  if (charset === "utf-8" || charset === "utf-16le" || charset === "latin1") return Buffer.from(text, charset);
  const decoder = new TextDecoder(charset, { fatal: true });
  return Buffer.concat(Array.from(text).map((character) => encodeCharacter(character, decoder)));
}

function encodeCharacter(character: string, decoder: TextDecoder): Buffer {
  if (character < "\u0080") return Buffer.from(character);
  const bytes = Buffer.alloc(2);
  for (let pair = 0x81_40; pair <= 0xfe_fe; pair += 1) {
    bytes.writeUInt16BE(pair);
    if (decodes(decoder, bytes, character)) return bytes;
  }
  throw new Error(`${decoder.encoding} has no ${character}.`);
}

function decodes(decoder: TextDecoder, bytes: Buffer, character: string): boolean {
  try {
    return decoder.decode(bytes) === character;
  } catch {
    return false;
  }
}
