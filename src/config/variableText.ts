// The text of a variable, without what env files, secrets and copies from pages add to it unseen. Nothing here repeats a text.

/** What may stand in a text besides its value. */
export type TextKind =
  /** A path, an address, a word or a number. */
  | "plain"
  /** A secret may begin or end with a quote, but not both. */
  | "secret"
  /** Names for people, in which scripts and emoji need invisible characters. */
  | "names";

/** Blanks, line breaks, no-break and zero-width spaces, byte order marks, marks of direction. */
const INVISIBLE = String.raw`[\s\u2800\p{Default_Ignorable_Code_Point}]`;
const AROUND = new RegExp(`^${INVISIBLE}+|${INVISIBLE}+$`, "gu");
const CONTROL = /\p{Cc}/u;
const UNSEEN_INSIDE = /\p{Default_Ignorable_Code_Point}/u;

const QUOTE = "[\"'`\u00b4\u2018-\u201f\u2039\u203a\u00ab\u00bb\u300c-\u300f\uff02\uff07]";
const IN_QUOTES = new RegExp(`^${QUOTE}[^]*${QUOTE}$|^${QUOTE}$`, "u");
const QUOTE_AT_END = new RegExp(`^${QUOTE}|${QUOTE}$`, "u");

/** Without what is invisible at both ends. */
export const trimInvisible = (text: string): string => text.replaceAll(AROUND, "");

/** Why a trimmed text cannot be a value; null: it may be one. */
export function textProblem(text: string, kind: TextKind): string | null {
  if (CONTROL.test(text)) return "must not have a line break or another control character inside";
  if (IN_QUOTES.test(text)) return "must not stand in quotes: files for docker --env-file and Kubernetes keep them";
  if (kind !== "secret" && kind !== "names" && QUOTE_AT_END.test(text)) return "must not begin or end with a quote";
  if (kind !== "names" && UNSEEN_INSIDE.test(text)) return "must not have an invisible character inside";
  return null;
}
