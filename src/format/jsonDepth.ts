// How deeply JSON is nested, told of a value or of its text.

/** Whether a JSON value is nested beyond so many levels. Looks no deeper than that, so that no depth is too much for it. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(levels - 1, part));
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether JSON is nested beyond so many levels, told from its text: before a parser makes millions of objects of as many
 * brackets. Of a text that is no JSON it tells nothing.
 */
export function isTextDeeperThan(levels: number, text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = findClosingQuote(text, at);
    // [ and {, ] and } differ by one bit.
    else if ((code | 0x20) === 0x7b) depth += 1;
    else if ((code | 0x20) === 0x7d) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

/** Where the text that begins here has its closing quote; the end of all where it has none. */
export function findClosingQuote(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
