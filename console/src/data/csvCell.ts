// Writes cells of CSV for spreadsheets, which run a cell that begins like a formula: such a cell gets an apostrophe before it, and a
// phone number that begins with + too. A spreadsheet may divide a line at another sign than the comma, by its language or its user:
// each of them is quoted, and what follows it must not begin like a formula either.

/** Spreadsheets take a file for UTF-8 that begins with this. */
export const BYTE_ORDER_MARK = "\ufeff";
/** At the begin of a text, or behind a sign at which it may be divided, with blanks and quotes between them. */
const FORMULA = /^(?=[ "]*[=+\-@\t\r\n＝＋－＠])|(?<=[;|\t\r\n])(?=[ "]*[=+\-@＝＋－＠])/g;
const NEEDS_QUOTES = /[",;|\t\r\n]/;

export function csvCell(value: string | number | boolean | null | undefined): string {
  if (value == null) return "";
  const text = String(value);
  const safe = text.replaceAll(FORMULA, "'");
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
