// Decodes the escapes of JSON, JavaScript, URLs, HTML and XML in a text. A text does not say which of them it uses, so all
// are decoded, level by level. Masking and erasing search every level for phone numbers.

/** The text at one level, with the place of each of its characters in the original. */
export interface DecodedText {
  text: string;
  /** Where the character at an index begins in the original. */
  begin(index: number): number;
  /** Where the character at an index ends in the original. */
  end(index: number): number;
}

interface Replacement {
  from: number;
  to: number;
  by: string;
}

interface Level {
  text: string;
  /** What was replaced in the text of the level before. */
  replacements: readonly Replacement[];
}

/** A URL in JSON in HTML in a URL, and once more. */
const MAX_DEPTH = 5;
const MAY_HOLD_ESCAPE = /[%&\\]|0x|U\+/i;

/** Each alternative is bounded, so that the work is proportional to the length of the text. */
const ESCAPE = new RegExp(
  [
    String.raw`\\{1,16}u\{0{0,16}(?<point>[\da-f]{1,6})\}`,
    String.raw`\\{1,16}u(?<unit>[\da-f]{4})`,
    String.raw`\\{1,16}x(?<byte>[\da-f]{2})`,
    String.raw`\\{1,16}(?<blank>[bfnrtv])`,
    String.raw`\\{1,16}(?<sign>["'\/])`,
    String.raw`(?<backslashes>\\{2,16})`,
    String.raw`0x(?<number>[\da-f]{2})(?![\da-f](?!x))`,
    String.raw`U\+(?<notation>[\da-f]{4,6})(?![\da-f])`,
    String.raw`%u(?<percentUnit>[\da-f]{4})`,
    String.raw`(?<bytes>%[0-7][\da-f]|%[c-f][\da-f](?:%[89ab][\da-f]){1,3}|%[89a-f][\da-f])`,
    String.raw`&#0{0,16}(?<decimal>\d{1,7});?`,
    String.raw`&#x0{0,16}(?<hex>[\da-f]{1,6});?`,
    String.raw`&(?<name>[a-z][a-z\d]{1,31});`,
    String.raw`&nbsp`,
  ].join("|"),
  "gi",
);

/** Only what is an escape without doubt. Where one could be cut short, or could be a word such as U+1380, digits stay digits. */
const COMPLETE_ESCAPE = new RegExp(
  [
    String.raw`\\u(?<unit>[\da-f]{4})`,
    String.raw`\\(?<blank>[bfnrt])`,
    String.raw`\\(?<sign>["\/\\])`,
    String.raw`(?<bytes>(?:%[\da-f]{2}){1,1000})`,
    String.raw`&#(?<decimal>\d{1,7});`,
    String.raw`&#x(?<hex>[\da-f]{1,6});`,
    String.raw`&(?<name>[a-z\d]{2,8});`,
  ].join("|"),
  "gi",
);

/** Adjacent tags become one blank. */
const TAGS = /(?:<[^<>]*>\s*){1,100}/g;

/** The other named references are blanks, dashes, letters and signs; they divide digits as a blank does. */
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

/** The text itself and each deeper level of it; the last one is what a reader would see. */
export function decodedTexts(original: string): string[] {
  return [original, ...Array.from(decodedLevels(original), ({ text }) => text)];
}

/** The same for complete escapes only: erasing searches both, because either may hide a number from the other. */
export function decodedCompleteEscapes(original: string): string[] {
  return Array.from(decodedLevels(original, COMPLETE_ESCAPE), ({ text }) => text);
}

/** The levels of decodedTexts, with the places of their characters in the original. */
export function decodedTextsWithPlaces(original: string): [DecodedText, ...DecodedText[]] {
  const first: DecodedText = { text: original, begin: (index) => index, end: (index) => index + 1 };
  const texts: [DecodedText, ...DecodedText[]] = [first];
  let last = first;
  for (const level of decodedLevels(original)) {
    last = withPlaces(last, level);
    texts.push(last);
  }
  return texts;
}

/** Tags are removed last, because a number may be escaped in an attribute of a tag. */
function* decodedLevels(original: string, pattern = ESCAPE): Generator<Level> {
  let text = original;
  for (let depth = 0; depth < MAX_DEPTH && MAY_HOLD_ESCAPE.test(text); depth += 1) {
    const escapes = escapesIn(text, pattern);
    if (escapes.length === 0) break;
    text = replaced(text, escapes);
    yield { text, replacements: escapes };
  }
  const tags = Array.from(text.matchAll(TAGS), ({ 0: tag, index }) => ({
    from: index,
    to: index + tag.length,
    by: " ",
  }));
  if (tags.length > 0) yield { text: replaced(text, tags), replacements: tags };
}

function escapesIn(text: string, pattern: RegExp): Replacement[] {
  const escapes: Replacement[] = [];
  for (const match of text.matchAll(pattern)) {
    const by = characterOf(match);
    if (by !== match[0]) escapes.push({ from: match.index, to: match.index + match[0].length, by });
  }
  return escapes;
}

function replaced(text: string, replacements: readonly Replacement[]): string {
  const parts: string[] = [];
  let copied = 0;
  for (const { from, to, by } of replacements) {
    parts.push(text.slice(copied, from), by);
    copied = to;
  }
  return parts.join("") + text.slice(copied);
}

/** A character of a replacement has the place of all that was replaced. */
function withPlaces(before: DecodedText, { text, replacements }: Level): DecodedText {
  const begins = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let length = 0;
  let copied = 0;
  const copy = (until: number) => {
    for (let at = copied; at < until; at += 1, length += 1) {
      begins[length] = before.begin(at);
      ends[length] = before.end(at);
    }
  };
  for (const { from, to, by } of replacements) {
    copy(from);
    copied = to;
    for (let unit = 0; unit < by.length; unit += 1, length += 1) {
      begins[length] = before.begin(from);
      ends[length] = before.end(to - 1);
    }
  }
  copy(before.text.length);
  return { text, begin: (index) => begins[index] ?? 0, end: (index) => ends[index] ?? 0 };
}

function characterOf({ groups = {} }: RegExpMatchArray): string {
  const unit = groups["unit"] ?? groups["percentUnit"] ?? groups["notation"];
  const hex = unit ?? groups["point"] ?? groups["byte"] ?? groups["number"] ?? groups["hex"];
  if (hex !== undefined) return pointOf(Number.parseInt(hex, 16));
  if (groups["decimal"] !== undefined) return pointOf(Number(groups["decimal"]));
  if (groups["bytes"] !== undefined) return Buffer.from(groups["bytes"].replaceAll("%", ""), "hex").toString();
  if (groups["name"] !== undefined) return NAMED[groups["name"].toLowerCase()] ?? " ";
  if (groups["sign"] !== undefined) return groups["sign"];
  return groups["backslashes"] === undefined ? " " : "\\";
}

const pointOf = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : "");
