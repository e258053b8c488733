// Files of CSV for spreadsheets: their lines, their times, and the saving of rows that the page has.
import { BYTE_ORDER_MARK, csvCell } from "./csvCell.ts";
import { openExportFile } from "./exportFile.ts";

export type CsvRow = readonly (string | number | boolean | null | undefined)[];

export const csvLine = (cells: CsvRow): string => `${cells.map(csvCell).join()}\r\n`;

/** 2026-11-20 09:30:00 in the viewer's zone, which spreadsheets read as a time. `at`: epoch milliseconds or RFC 3339. */
export function wallTimeOf(at: number | string | null): string | null {
  const date = new Date(at ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return null;
  const two = (value: number) => String(value).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")}`;
}

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

/** The head of a column of such times. */
export const wallTimeHead = (name: string): string => `${name} (${timeZone})`;

/** Resolves with the name of the file; null: the user chose no place. Rejects where the file cannot be written. */
export async function saveCsv(name: string, head: CsvRow, rows: readonly CsvRow[]): Promise<string | null> {
  const at = new Date().toISOString().slice(0, 16).replaceAll(":", "");
  const file = await openExportFile(`${name}-${at}Z.csv`, "text/csv");
  if (!file) return null;
  try {
    await file.write(BYTE_ORDER_MARK + [head, ...rows].map(csvLine).join(""));
    await file.save();
  } catch (error) {
    await file.discard().catch(() => undefined);
    throw error;
  }
  return file.name;
}
