// Finds the charset of a JSON body. By its standard (RFC 8259) it is UTF-8, but some servers declare GBK or Latin-1, and UTF-16 shows
// itself. What servers send is in test/corpus/webhookCharsets.ts.

/** Names that the Encoding Standard does not know, and the ones that it knows for them. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  cp936: "gbk",
  ms936: "gbk",
  "windows-936": "gbk",
  "gb-18030": "gb18030",
  "gb18030-2000": "gb18030",
  utf: "utf-8",
  utf8mb4: "utf-8",
  "utf-8-sig": "utf-8",
  latin: "latin1",
  "latin-1": "latin1",
  iso8859_1: "latin1",
  "8859_1": "latin1",
  cp1252: "windows-1252",
  cp932: "shift_jis",
  ms932: "shift_jis",
  ms949: "euc-kr",
  cp949: "euc-kr",
  "x-windows-949": "euc-kr",
  cp950: "big5",
  "x-windows-950": "big5",
  eucjp: "euc-jp",
};
/** Each byte is a character in these, so that nearly every body can be decoded, also one of another charset. */
const SINGLE_BYTE = /^(windows-(?!949)|iso-8859-|koi8-|macintosh|x-mac-|ibm866)/;
const CHARSET = /;\s*charset\s*=\s*["']?([^"';,\s]+)/i;
const MAX_LENGTH = 40;

/** The name as the sender wrote it, or null. `contentType`: the header. */
export function declaredCharset(contentType: string | undefined): string | null {
  const name = CHARSET.exec(contentType ?? "")?.[1]?.slice(0, MAX_LENGTH);
  return name !== undefined && /^[\w.:+-]+$/.test(name) ? name : null;
}

/** The standard name of a charset that can be decoded, such as gbk for GB2312. Null: there is none. */
export function knownCharset(name: string): string | null {
  const text = name.trim().toLowerCase();
  try {
    return new TextDecoder(OTHER_NAMES[text] ?? text).encoding;
  } catch {
    return null;
  }
}

/**
 * The charsets that a JSON body may have, the first one first. What its bytes show comes before what its sender declares: a body
 * that is UTF-16 by its first bytes is nothing else, and one that is valid UTF-8 has hardly a charset of single bytes. The same
 * goes for valid UTF-8 with characters of three bytes, as Chinese, Japanese and Korean have: text of another charset seldom fits so.
 */
export function charsetsOf(body: Uint8Array, declared: string | null): readonly string[] {
  const wide = wideCharset(body);
  if (wide !== null) return [wide];
  const known = declared === null ? null : knownCharset(declared);
  if (known === null || known === "utf-8" || known.startsWith("utf-16")) return ["utf-8"];
  if (SINGLE_BYTE.test(known) || showsUtf8(body)) return ["utf-8", known];
  return known === "gbk" ? ["gbk", "gb18030", "utf-8"] : [known, "utf-8"];
}

const showsUtf8 = (body: Uint8Array) =>
  body.some((byte) => byte >= FIRST_OF_THREE) && decodeStrictly(body, "utf-8") !== undefined;
const FIRST_OF_THREE = 0xe0;

/** JSON begins with an ASCII character, of which UTF-16 makes a zero byte and another one. */
function wideCharset(body: Uint8Array): string | null {
  const [first, second] = body;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0 && second !== 0 && second !== undefined) return "utf-16be";
  return second === 0 && first !== 0 && body[2] !== 0 ? "utf-16le" : null;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
/** The first byte of a Korean syllable that Windows added, which Node's decoder takes for a control character. Browsers know it. */
const ADDED_SYLLABLE = /[\x80-\x9f]/;

/** Undefined: the bytes are not valid in that charset. `charset`: a name that knownCharset returns. Leaves out byte order marks. */
export function decodeStrictly(body: Uint8Array, charset: string): string | undefined {
  try {
    const text = (charset === "utf-8" ? utf8 : new TextDecoder(charset, { fatal: true })).decode(body);
    if (charset === "euc-kr" && ADDED_SYLLABLE.test(text)) return undefined;
    // The decoder leaves out one. A program that adds one to a text with one sends two.
    return text.startsWith("\ufeff") ? text.replace(/^\ufeff+/, "") : text;
  } catch {
    return undefined;
  }
}
