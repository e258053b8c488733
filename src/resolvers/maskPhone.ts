import type { Viewer } from "../auth/scopes.ts";

const SHOWN_AT_END = 4;
const HIDDEN_AT_LEAST = 4;
const SHOWN_AT_START = 4;
/** In a text with letters, shorter runs are a line's label (A068) and no number. */
const SHORTEST_RUN = 5;
/** In prose, shorter runs are codes (SIP 48603). */
const SHORTEST_NUMBER = 7;
/** A letter that is seen as one: `ー` is a dash, and some are blank. */
export const LETTER = /[\p{L}--[\p{Lm}\p{Default_Ignorable_Code_Point}]]/v;
/** Digits of any script, with whatever stands between them but a letter: `138-0001-0001` is one number. */
const RUN = /\p{Nd}(?:[\P{L}\p{Lm}\p{Default_Ignorable_Code_Point}]*\p{Nd})?/gu;
const digitsOf = (text: string) => text.replace(/\P{Nd}/gu, "");

/** The number as the viewer may see it: whole with the scope people:read, else masked. */
export function phoneFor(viewer: Viewer, phone: string | null): string | null {
  return phone === null || viewer.scopes.has("people:read") ? phone : maskPhone(phone);
}

/** A text of the service's, in which a number may stand: whole with the scope people:read, else with such runs masked. */
export function proseFor(viewer: Viewer, text: string | null): string | null {
  return text === null || viewer.scopes.has("people:read") ? text : maskRuns(text, SHORTEST_NUMBER);
}

/** `+8613800010001` → `+8613****0001`; fewer than 8 digits: all `*`; a label such as `A068` stays. */
export function maskPhone(text: string): string {
  const isLabel = LETTER.test(text);
  if (isLabel) return maskRuns(text);
  const digits = digitsOf(text);
  return (text.trim().startsWith("+") && digits.length >= 8 ? "+" : "") + maskDigitRun(digits);
}

/** Whatever in a text could be a number: so many digits or more, without a letter between them. */
export function maskRuns(text: string, shortest = SHORTEST_RUN): string {
  return text.replace(RUN, (run) => (digitsOf(run).length < shortest ? run : maskDigitRun(digitsOf(run))));
}

function maskDigitRun(digits: string): string {
  if (digits.length < SHOWN_AT_END + HIDDEN_AT_LEAST) return "*".repeat(digits.length);
  const start = Math.min(SHOWN_AT_START, digits.length - SHOWN_AT_END - HIDDEN_AT_LEAST);
  return `${digits.slice(0, start)}****${digits.slice(-SHOWN_AT_END)}`;
}
