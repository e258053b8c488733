// Checks how deeply JSON is nested, in a value or in its text.

/** True if a value has more than `levels` levels. Looks no deeper than that, so that it cannot overflow the stack. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(levels - 1, part));
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * True if a JSON text has more than `levels` levels. Call it before parsing, which would create an object for each bracket. The
 * result means nothing for text that is not JSON.
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

/** The position of the closing quote of the text that begins at `begin`, or the end of the whole text. */
export function findClosingQuote(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
