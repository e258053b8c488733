// Finds the encodings that the systems of one language have and that fit the bytes of a table. Nothing in a file says which it is: it is told by
// how its letters lie, and short tables fit several.
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
  "windows-1250",
  "windows-1253",
  "windows-1254",
  "koi8-r",
] as const;
export type TableEncoding = (typeof tableEncodings)[number];

/** Shares of the letters beyond ASCII, or of their pairs of bytes. */
const MOST = 0.9;
/** Among so many different pairs nearly every Chinese text has one that Korean has not, and one that Big5 has not. */
const ENOUGH_PAIRS = 12;

interface Letters {
  /** Pairs of bytes, as in encodings of two bytes. */
  pairs: readonly [first: number, second: number][];
  /** The share of bytes beyond ASCII that stand between ASCII characters, as in texts of Latin letters: Muñoz. */
  alone: number;
  /** The sample in an encoding; null: it is not valid in it. */
  textIn: (encoding: TableEncoding) => string | null;
}

type Fits = (letters: Letters) => boolean;

/** A Greek or Cyrillic letter beside one of ASCII. */
const MIXED = /[a-z][\u0370-\u04ff]|[\u0370-\u04ff][a-z]/i;

interface Case {
  /** Whether most letters are of lower case, as in words. In texts of Latin letters it may be the capitals that are beyond ASCII. */
  isMostlyLower: boolean;
  /** Whether all may be capitals. */
  mayBeCapitals: boolean;
}

/** `inUse`: letters. Upper case behind lower case shows that the letters are others. */
const isCased =
  (encoding: TableEncoding, inUse: RegExp, { isMostlyLower, mayBeCapitals }: Case): Fits =>
  ({ textIn }) => {
    const text = textIn(encoding) ?? "";
    const foreign = foreignIn(text);
    const lower = foreign.filter((letter) => /\p{Ll}/u.test(letter)).length;
    const isCase = !isMostlyLower || lower > foreign.length * 0.4 || (mayBeCapitals && lower === 0);
    return isCase && shareOf(foreign, inUse) > MOST && !/\p{Ll}\p{Lu}/u.test(text) && !MIXED.test(text);
  };
const words: Case = { isMostlyLower: true, mayBeCapitals: false };
const wordsOrCapitals: Case = { isMostlyLower: true, mayBeCapitals: true };
const anyCase: Case = { isMostlyLower: false, mayBeCapitals: true };

const isShiftJis: Fits = ({ textIn, pairs }) => {
  const foreign = foreignIn(textIn("shift_jis") ?? "");
  if (shareOf(foreign, /[\u3000-\u30ff\u4e00-\u9fff\uff00-\uff60]/) < MOST) return false;
  const isKanji = shareOfPairs(pairs, ([first]) => first >= 0x88 && first <= 0x9f) > MOST;
  return shareOf(foreign, /[\u3040-\u30ff]/) > 0.1 || isKanji;
};
const isHalfWidthKana: Fits = ({ textIn }) => shareOf(foreignIn(textIn("shift_jis") ?? ""), /[\uff61-\uff9f]/) === 1;
/** The syllables of KS X 1001. */
const isKorean: Fits = ({ textIn, pairs }) =>
  textIn("euc-kr") !== null &&
  shareOfPairs(pairs, ([first, second]) => first >= 0xb0 && first <= 0xc8 && second >= 0xa1) > MOST;
/** Characters that are in use have their first byte in this range; Cyrillic small letters lie above it. */
const isChinese: Fits = (letters) => {
  if (letters.textIn("gb18030") === null) return false;
  if (isKorean(letters) && differentIn(letters.pairs) >= ENOUGH_PAIRS) return false;
  return shareOfPairs(letters.pairs, ([first, second]) => first >= 0xb0 && first <= 0xd7 && second >= 0xa1) > 0.7;
};
const isBig5: Fits = ({ textIn, pairs }) => {
  if (textIn("big5") === null || shareOfPairs(pairs, ([first]) => first >= 0xa4 && first <= 0xc6) < MOST) return false;
  return pairs.some(([, second]) => second < 0x80) || differentIn(pairs) < ENOUGH_PAIRS;
};

/** In the order in which they are preferred. */
const OF_PAIRS: readonly [TableEncoding, Fits][] = [
  ["shift_jis", isShiftJis],
  ["gb18030", isChinese],
  ["euc-kr", isKorean],
  ["windows-1251", isCased("windows-1251", /[а-яё№«»—–]/i, wordsOrCapitals)],
  ["windows-1253", isCased("windows-1253", /[α-ωάέήίόύώ«»’–]/i, words)],
  ["koi8-r", isCased("koi8-r", /[а-яё]/i, words)],
  ["big5", isBig5],
  ["shift_jis", isHalfWidthKana],
];
const MARKS = "’‘“”–—…€«»°·¿¡ªº";
const latin = (letters: string) => new RegExp(`[${letters}${MARKS}]`, "iu");
const OF_SINGLE_LETTERS: readonly [TableEncoding, Fits][] = [
  ["windows-1252", isCased("windows-1252", latin("àáâãäåæçèéêëìíîïñòóôõöøùúûüßœÿ"), anyCase)],
  ["windows-1250", isCased("windows-1250", latin("ąćęłńóśźżčáďéěíňřšťúůýžőűăâîşţäöüßđľĺŕô"), anyCase)],
  ["windows-1254", isCased("windows-1254", latin("çğıöşüâîûİ"), anyCase)],
];

/** Those that fit, the likeliest first, each with another text. `countHeads`: how many names of columns a text has. At least one. */
export function fittingEncodings(sample: Uint8Array, countHeads: (text: string) => number): TableEncoding[] {
  const letters = lettersOf(sample);
  const kinds = [...(letters.alone > 0.6 ? [] : OF_PAIRS), ...(letters.alone > 0.3 ? OF_SINGLE_LETTERS : [])];
  const fitting = kinds.filter(([, fits]) => fits(letters)).map(([name]) => name);
  const heads = new Map(fitting.map((name) => [name, countHeads(letters.textIn(name) ?? "")]));
  const most = Math.max(0, ...heads.values());
  const named = fitting.filter((name) => heads.get(name) === most);
  const texts = new Set<string>();
  const different = named.filter((name) => {
    const before = texts.size;
    return texts.add(letters.textIn(name) ?? "").size > before;
  });
  if (different.length > 0) return different;
  return [letters.alone <= 0.6 && letters.textIn("gb18030") !== null ? "gb18030" : "windows-1252"];
}

function lettersOf(bytes: Uint8Array): Letters {
  const pairs: [number, number][] = [];
  let [high, alone] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const [first = 0, second = 0] = [bytes[at], bytes[at + 1]];
    if (first < 0x80) continue;
    high += 1;
    if (second < 0x80 && (bytes[at - 1] ?? 0) < 0x80) alone += 1;
    if (second < 0x40) continue;
    pairs.push([first, second]);
    if (second >= 0x80) high += 1;
    at += 1;
  }
  // Pure cache.
  const texts = new Map<TableEncoding, string | null>();
  const textIn = (encoding: TableEncoding) =>
    texts.getOrInsertComputed(encoding, () => decodedStrictly(bytes, encoding));
  return { pairs, alone: alone / Math.max(1, high), textIn };
}

/** The sample may end within a letter. */
function decodedStrictly(bytes: Uint8Array, encoding: TableEncoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

const foreignIn = (text: string): string[] => text.match(/[^\0-\x7f]/gu) ?? [];
const shareOf = (letters: readonly string[], wanted: RegExp) =>
  letters.filter((letter) => wanted.test(letter)).length / Math.max(1, letters.length);
const shareOfPairs = (pairs: Letters["pairs"], isWanted: (pair: [number, number]) => boolean) =>
  pairs.filter(isWanted).length / Math.max(1, pairs.length);
const differentIn = (pairs: Letters["pairs"]) => new Set(pairs.map(([first, second]) => first * 256 + second)).size;
