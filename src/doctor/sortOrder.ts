// The order of the list, read off rows as they came. Orders that agree in all rows seen leave it undetermined.
import { counted, determined, undetermined, type Finding } from "./finding.ts";
import type { SeenRow, TimeField } from "./observed.ts";

type Key = (row: SeenRow) => number | string | null;

const FEWEST_ROWS = 8;

const timeOf =
  (field: TimeField): Key =>
  (row) =>
    row.times[field].ms;
const sessionId: Key = (row) => row.sessionId;

const orders: readonly [name: string, key: Key, direction: 1 | -1][] = [
  ["startAt, newest first", timeOf("startAt"), -1],
  ["startAt, oldest first", timeOf("startAt"), 1],
  ["endAt, newest first", timeOf("endAt"), -1],
  ["endAt, oldest first", timeOf("endAt"), 1],
  ["sessionId, ascending", sessionId, 1],
  ["sessionId, descending", sessionId, -1],
];

export const NO_ORDER = "none by startAt, endAt or sessionId";

/** `rows` in the order they came, page after page of one range; a row that came twice counts once. */
export function sortOrder(rows: readonly SeenRow[]): Finding {
  const once = [...new Map(rows.map((row) => [row.key, row])).values()];
  const starts = new Set(once.map(timeOf("startAt")).filter((ms) => ms !== null)).size;
  const seen = `${counted(once.length, "row")}, ${starts} different starts.`;
  if (starts < FEWEST_ROWS) return undetermined("sortOrder", `${seen} It takes ${FEWEST_ROWS}.`);
  const fitting = orders.filter(([, key, direction]) => isSorted(once, key, direction));
  const [only, another] = fitting;
  if (only === undefined) return determined("sortOrder", NO_ORDER, seen);
  if (another !== undefined || distinctKeys(once, only[1]) < FEWEST_ROWS) {
    return undetermined("sortOrder", `${seen} They fit ${fitting.map(([name]) => name).join("; and ")}.`);
  }
  return determined("sortOrder", only[0], seen);
}

/** Rows without the key are passed over. An order fits with few keys too: it is not excluded then. */
function isSorted(rows: readonly SeenRow[], key: Key, direction: 1 | -1): boolean {
  const keys = rows.map(key).filter((value) => value !== null);
  if (new Set(keys).size < 2) return false;
  return keys.every((value, at) => at === 0 || compare(keys[at - 1] as number | string, value) * direction <= 0);
}

function distinctKeys(rows: readonly SeenRow[], key: Key): number {
  return new Set(rows.map(key).filter((value) => value !== null)).size;
}

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
