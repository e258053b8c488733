// Decodes the bytes of a table: UTF-8, UTF-16, or what spreadsheets write by the language of their system. A file says seldom which.
import { fittingEncodings, type TableEncoding } from "./oldEncodings.ts";
import { knownHeads } from "./tableColumns.ts";

export { tableEncodings, type TableEncoding } from "./oldEncodings.ts";

export interface DecodedTable {
  /** Without a byte order mark. */
  text: string;
  encoding: TableEncoding;
  /** Whether the bytes prove the encoding. Otherwise names may be unreadable; digits are the same in each. */
  isSure: boolean;
  /** Encodings that fit as well, and give another text. */
  others: readonly TableEncoding[];
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
  const [likeliest = "windows-1252", ...others] = fittingEncodings(bytes.subarray(0, SAMPLE), countHeads);
  return decoded(bytes, likeliest, false, others);
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

const decoded = (
  bytes: Uint8Array,
  encoding: TableEncoding,
  isSure: boolean,
  others: readonly TableEncoding[] = [],
): DecodedTable => ({
  text: new TextDecoder(encoding).decode(bytes),
  encoding,
  isSure,
  others,
});

/** Names of columns among the first words: only in the right encoding they are some. */
const countHeads = (text: string) => knownHeads(foreignWords(text));

/**
 * Whether somebody has to choose among the encodings that fit. Western and Central European letters lie at the same places, and nearly every Western
 * table fits both: then the others are only named.
 */
export const isAskedFor = ({ encoding, others }: DecodedTable): boolean =>
  others.length > 0 && encoding !== "windows-1252";

/** The first words of a text that have letters beyond ASCII: by them a reader sees whether the encoding is right. */
export function foreignWords(text: string): string[] {
  const words = text.slice(0, SAMPLE).match(/[\p{L}\p{M}]*[^\0-\x7f][\p{L}\p{M}]*/gu) ?? [];
  return [...new Set(words)].slice(0, 4);
}

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
