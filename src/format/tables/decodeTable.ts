// Decodes the bytes of a table: UTF-8, UTF-16, or what spreadsheets write by the language of their system. A file says seldom which.

/** The names of the Encoding Standard, which TextDecoder knows everywhere. */
export const tableEncodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "gb18030",
  "big5",
  "shift_jis",
  "euc-kr",
  "windows-1252",
  "windows-1251",
] as const;
export type TableEncoding = (typeof tableEncodings)[number];

export interface DecodedTable {
  /** Without a byte order mark. */
  text: string;
  encoding: TableEncoding;
  /** Whether the bytes prove the encoding. Otherwise names may be unreadable; digits are the same in each. */
  isSure: boolean;
}

/** Why the bytes are no table: a workbook (xlsx, xls, ods, numbers), a page that is named like one, or other data. */
export type NoTable = "workbook" | "page" | "binary";

/** `chosen`: null to find out. Never throws. */
export function decodeTable(bytes: Uint8Array, chosen: TableEncoding | null = null): DecodedTable | NoTable {
  const marked = MARKS.find(([, mark]) => startsWith(bytes, mark))?.[0];
  if (chosen ?? marked) return decoded(bytes, chosen ?? marked ?? "utf-8", true);
  const beginning = LATIN.decode(bytes.subarray(0, 512));
  if (WORKBOOKS.some((mark) => startsWith(bytes, mark))) return "workbook";
  if (/^\s*<(?:!doctype|html|table|\?xml)/i.test(beginning)) return "page";
  const wide = wideEncoding(bytes);
  if (wide) return decoded(bytes, wide, false);
  if (bytes.subarray(0, SAMPLE).includes(0)) return "binary";
  if (decodes(bytes, "utf-8")) return decoded(bytes, "utf-8", true);
  return decoded(bytes, oldEncoding(bytes), false);
}

const MARKS: readonly [TableEncoding, number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];
/** A zip file (xlsx, ods), and the container of old workbooks (xls). */
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];
const startsWith = (bytes: Uint8Array, mark: readonly number[]) => mark.every((byte, at) => bytes[at] === byte);

const LATIN = new TextDecoder("windows-1252");
/** Bytes that are looked at to find the encoding. */
const SAMPLE = 65_536;

const decoded = (bytes: Uint8Array, encoding: TableEncoding, isSure: boolean): DecodedTable => ({
  text: new TextDecoder(encoding).decode(bytes),
  encoding,
  isSure,
});

function decodes(bytes: Uint8Array, encoding: TableEncoding): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** UTF-16 without a mark: digits and separators have a zero on the same side, and no other text has zeros. */
function wideEncoding(bytes: Uint8Array): TableEncoding | null {
  const zeros = [0, 0];
  const sample = bytes.subarray(0, SAMPLE);
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) * 10 < sample.length) return null;
  if (odd > even * 4) return "utf-16le";
  return even > odd * 4 ? "utf-16be" : null;
}

/** The encodings that a system of one language has. Each is told by how its letters lie, and no proof. */
function oldEncoding(bytes: Uint8Array): TableEncoding {
  const sample = bytes.subarray(0, SAMPLE);
  const high = countPairs(sample);
  // In texts of Latin letters, the others stand alone: Muñoz.
  if (high.alone > high.bytes * 0.6) return "windows-1252";
  const text = (encoding: TableEncoding) => new TextDecoder(encoding).decode(sample);
  const share = (encoding: TableEncoding, letters: RegExp): number => {
    const foreign = text(encoding).match(/[^\0-\x7f]/gu) ?? [];
    return foreign.filter((letter) => letters.test(letter)).length / Math.max(1, foreign.length);
  };
  if (share("shift_jis", /[\u3040-\u30ff\u4e00-\u9fff]/) > 0.95 && share("shift_jis", /[\u3040-\u30ff]/) > 0.1)
    return "shift_jis";
  // Chinese characters that are in use have their first byte in this range; Cyrillic small letters lie above it.
  if (high.common > high.pairs * 0.7) return "gb18030";
  if (share("windows-1251", /[а-яё№«»—–]/i) > 0.9 && share("windows-1251", /[а-яё]/) > 0.4) return "windows-1251";
  if (share("big5", /[\u4e00-\u9fff\u3000-\u303f\uff00-\uffef]/) > 0.95) return "big5";
  return decodes(bytes, "gb18030") ? "gb18030" : "windows-1252";
}

/** Bytes above ASCII: how many there are, how many are single letters, and how many pairs there are, with those of common Chinese. */
function countPairs(bytes: Uint8Array) {
  const count = { bytes: 0, alone: 0, pairs: 0, common: 0 };
  for (let at = 0; at < bytes.length; at++) {
    const [first = 0, second = 0] = [bytes[at], bytes[at + 1]];
    if (first < 0x80) continue;
    count.bytes += 1;
    if (first >= 0xc0 && second < 0x80 && (bytes[at - 1] ?? 0) < 0x80) count.alone += 1;
    if (second < 0x40) continue;
    count.pairs += 1;
    count.bytes += second < 0x80 ? 0 : 1;
    if (first >= 0xb0 && first <= 0xd7 && second >= 0xa1) count.common += 1;
    at += 1;
  }
  return count;
}
