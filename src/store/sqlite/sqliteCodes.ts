// Result codes of SQLite (sqlite.org/rescode.html) that mean something here. The lower eight bits name the kind.

/** A scan was ended before it had looked at every row. */
export const INTERRUPTED = 9;
/** A read, a write or an fsync that the disk did not do. */
export const IO_ERROR = 10;
export const FULL = 13;
/** The index of the log, which is made anew at each start, found no room to grow: nothing is lost with it. */
export const NO_ROOM_FOR_INDEX = IO_ERROR | (19 << 8);

export const kindOf = (code: number | undefined): number | undefined => code && code & 0xff;
