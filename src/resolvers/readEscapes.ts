// What a text says once its escapes are read, and where each character of that reading stands in the text: of JSON and
// JavaScript, URLs, HTML and XML. Nothing says which of them a text is, so all are read, one inside of the other.

export interface Reading {
  /** Without escapes; what is no sign, such as a tag, is left out. */
  text: string;
  /** Where the character at an index begins in the original. */
  begin(index: number): number;
  /** Where the character at an index ends in the original. */
  end(index: number): number;
}

/** A URL in JSON in HTML in a URL, and once more. Deeper than that nobody writes, or reads, a number. */
const DEEPEST = 5;
const MAY_HOLD = /[%&\\<]|0x|U\+/i;

/** Each alternative is bounded, so that a hostile text costs no more than its length. */
const ESCAPE = new RegExp(
  [
    String.raw`\\{1,16}u\{0{0,16}(?<point>[\da-f]{1,6})\}`,
    String.raw`\\{1,16}u(?<unit>[\da-f]{4})`,
    String.raw`\\{1,16}x(?<byte>[\da-f]{2})`,
    String.raw`\\{1,16}(?<blank>[bfnrtv])`,
    String.raw`0x(?<number>[\da-f]{2})(?![\da-f](?!x))`,
    String.raw`U\+(?<notation>[\da-f]{4,6})(?![\da-f])`,
    String.raw`%u(?<percentUnit>[\da-f]{4})`,
    String.raw`(?<bytes>%[0-7][\da-f]|%[c-f][\da-f](?:%[89ab][\da-f]){1,3})`,
    String.raw`&#0{0,16}(?<decimal>\d{1,7});?`,
    String.raw`&#x0{0,16}(?<hex>[\da-f]{1,6});?`,
    String.raw`&(?<name>[a-z][a-z\d]{1,31});`,
    String.raw`&nbsp`,
    String.raw`<[a-z\/!?][^<>]{0,1000}>`,
  ].join("|"),
  "gi",
);

/** The other named references are blanks, dashes, letters and signs that end or divide a number as a blank does. */
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  plus: "+",
  num: "#",
  percnt: "%",
  bsol: "\\",
  semi: ";",
  lbrace: "{",
  rbrace: "}",
  lcub: "{",
  rcub: "}",
};

/** The text itself, and what it says with one escape read after the other: the deepest is the last. */
export function readingsOf(original: string): [Reading, ...Reading[]] {
  const readings: [Reading, ...Reading[]] = [{ text: original, begin: (index) => index, end: (index) => index + 1 }];
  let last: Reading | null = readings[0];
  while (last && readings.length <= DEEPEST && MAY_HOLD.test(last.text)) {
    last = readOnce(last);
    if (last) readings.push(last);
  }
  return readings;
}

/** Null: there is nothing to read. */
function readOnce({ text, begin, end }: Reading): Reading | null {
  const parts: string[] = [];
  // No reading is longer than its text.
  const begins = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let length = 0;
  let taken = 0;
  const keep = (until: number) => {
    parts.push(text.slice(taken, until));
    for (let at = taken; at < until; at += 1, length += 1) {
      begins[length] = begin(at);
      ends[length] = end(at);
    }
  };
  for (const match of text.matchAll(ESCAPE)) {
    const read = characterOf(match);
    if (read === match[0]) continue;
    keep(match.index);
    taken = match.index + match[0].length;
    parts.push(read);
    for (let unit = 0; unit < read.length; unit += 1, length += 1) {
      begins[length] = begin(match.index);
      ends[length] = end(taken - 1);
    }
  }
  if (taken === 0) return null;
  keep(text.length);
  return { text: parts.join(""), begin: (index) => begins[index] ?? 0, end: (index) => ends[index] ?? 0 };
}

function characterOf({ 0: escape, groups = {} }: RegExpMatchArray): string {
  const unit = groups["unit"] ?? groups["percentUnit"] ?? groups["notation"];
  const hex = unit ?? groups["point"] ?? groups["byte"] ?? groups["number"] ?? groups["hex"];
  if (hex !== undefined) return pointOf(Number.parseInt(hex, 16));
  if (groups["decimal"] !== undefined) return pointOf(Number(groups["decimal"]));
  if (groups["bytes"] !== undefined) return Buffer.from(groups["bytes"].replaceAll("%", ""), "hex").toString();
  if (groups["name"] !== undefined) return NAMED[groups["name"].toLowerCase()] ?? " ";
  if (groups["blank"] !== undefined || escape.startsWith("&")) return " ";
  return "";
}

const pointOf = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : " ");
