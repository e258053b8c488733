// Result codes of SQLite (sqlite.org/rescode.html). The lower eight bits of an extended code are its primary code.

/** Another connection holds a lock. */
const BUSY = 5;
const LOCKED = 6;
/** A scan was ended before it read every row. */
export const INTERRUPTED = 9;
/** The disk failed to read, write or sync. */
export const IO_ERROR = 10;
const CORRUPT = 11;
export const FULL = 13;
const NOT_A_DATABASE = 26;
/** The disk is full, so the write-ahead log's index (-shm) cannot grow. Nothing is lost: each start rebuilds the index. */
export const NO_ROOM_FOR_INDEX = IO_ERROR | (19 << 8);

export const primaryCode = (code: number | undefined): number | undefined => code && code & 0xff;

/** True if another process has the database open. */
export const isLockedByAnother = (error: unknown): boolean => hasCode(error, [BUSY, LOCKED]);

/** True if the file is damaged, or no database. */
export const isNoDatabase = (error: unknown): boolean => hasCode(error, [CORRUPT, NOT_A_DATABASE]);

/** Errors of node:sqlite have `errcode`, those of the thread `code`. */
function hasCode(error: unknown, codes: readonly number[]): boolean {
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  const primary = [errcode, code].find((value) => typeof value === "number");
  return codes.includes(primaryCode(primary) ?? 0);
}
