// Makes a text from outside harmless on a terminal: it can neither move the cursor, change colours, ring, nor turn the direction of
// reading. Each such character is shown as an escape of JSON, so that a JSON line keeps its meaning.

/** Control characters of C0 and C1, marks of direction, and the line breaks of Unicode. */
const HARMFUL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
const HARMFUL_IN_LINES = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** On one line. */
export const terminalLine = (text: string): string => text.replace(HARMFUL, escapeOf);

/** Keeps its line breaks. */
export const terminalText = (text: string): string => text.replace(HARMFUL_IN_LINES, escapeOf);

/** `\n`, or `\u009b` */
function escapeOf(character: string): string {
  const [, escape = ""] = /^"(.*)"$/.exec(JSON.stringify(character)) ?? [];
  return escape.length > 1 ? escape : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
