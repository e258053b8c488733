// Writes cells of CSV for spreadsheets, which run a cell that begins like a formula: such a cell gets an apostrophe before it, and a
// phone number that begins with + too.

/** Spreadsheets take a file for UTF-8 that begins with this. */
export const BYTE_ORDER_MARK = "\ufeff";
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

export function csvCell(value: string | number | boolean | null | undefined): string {
  if (value == null) return "";
  const text = String(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
