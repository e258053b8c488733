// Counts rows without a session id: they cannot be told, for nothing tells them from one another or from themselves later.
import { createHash } from "node:crypto";
import type { CallLogRecord } from "../upstream/upstream.ts";

const KEPT = 10_000;

export interface UnnamedRows {
  /** How many of these were not met before. Beyond the last 10,000 a row may be counted again. */
  add(rows: readonly CallLogRecord[]): number;
  /** Since this gateway began. */
  count(): number;
}

export function createUnnamedRows(): UnnamedRows {
  const met = new Set<string>();
  let count = 0;

  function isNew(row: CallLogRecord): boolean {
    const key = keyOf(row);
    if (met.has(key)) return false;
    met.add(key);
    const [oldest] = met;
    if (met.size > KEPT && oldest !== undefined) met.delete(oldest);
    count += 1;
    return true;
  }
  return { add: (rows) => rows.filter(isNew).length, count: () => count };
}

/** Of what does not change while a call goes on; a digest, for numbers are not to lie about. */
function keyOf({ taskId, startAt, caller, callee, direction }: CallLogRecord): string {
  const text = JSON.stringify([taskId, startAt, caller, callee, direction]);
  return createHash("sha256").update(text).digest("base64");
}
