// Checks SQLite's write-ahead log before SQLite opens it. SQLite reads the log up to the first damaged frame and silently drops
// the rest (sqlite.org/fileformat2.html, section 4), so committed events could be lost unnoticed.
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FinalError } from "../../util/start/finalError.ts";

/**
 * `torn`: the last transaction is incomplete, as after a loss of power before its commit was acknowledged; it may also have been
 * damaged later. `damaged`: complete transactions follow a damaged frame, or the log cannot be read.
 */
export type WalState = "whole" | "torn" | "damaged";

const HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC = 0x377f0682;

/** Checks the log of `file`; "whole" if there is none. Do not call it while another process writes the log. */
export function readWalState(file: string): WalState {
  const path = `${file}-wal`;
  return existsSync(path) ? walState(readFileSync(path)) : "whole";
}

/** SQLite removes the log when the last process closes the file. */
export function hasWal(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * Throws a FinalError that names the damaged log. SQLite must not open it: it would drop the damaged part, and the next start would
 * find nothing wrong.
 */
export function refuseDamagedWal(file: string): never {
  // While another process writes, the log may look damaged. Then this throws BUSY. Read-only access does not change the log.
  using database = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  database.prepare("select count(*) from sqlite_schema").get();
  throw new FinalError(
    `${basename(file)}-wal is damaged, and events in it would be lost. Restore a backup, or remove the file and lose those events`,
  );
}

function walState(bytes: Buffer): WalState {
  if (bytes.length < HEADER + FRAME_HEADER) return "whole";
  const isBigEndian = (bytes.readUInt32BE(0) & 1) === 1;
  const sum = createChecksum(isBigEndian);
  sum.add(bytes.subarray(0, FRAME_HEADER));
  const isHeader = (bytes.readUInt32BE(0) & ~1) === MAGIC && sum.is(bytes, FRAME_HEADER);
  const pageSize = bytes.readUInt32BE(8);
  if (!isHeader || pageSize < 512) return "damaged";

  const salts = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  let isBroken = false;
  let lostFrames = 0;
  let lostCommits = 0;
  for (let at = HEADER; at + FRAME_HEADER <= bytes.length; at += FRAME_HEADER + pageSize) {
    const page = bytes.subarray(at + FRAME_HEADER, at + FRAME_HEADER + pageSize);
    const matchingSalts = [8, 12].filter((offset, which) => bytes.readUInt32BE(at + offset) === salts[which]).length;
    if (!isBroken && matchingSalts === 2 && page.length === pageSize) {
      sum.add(bytes.subarray(at, at + 8));
      sum.add(page);
      if (sum.is(bytes, at + 16)) continue;
    }
    isBroken = true;
    // Frames with other salts are older: their content is in the database file already.
    if (matchingSalts === 0) continue;
    lostFrames += 1;
    if (matchingSalts === 2 && bytes.readUInt32BE(at + 4) !== 0) lostCommits += 1;
  }
  if (lostFrames === 0) return "whole";
  return lostCommits > 1 ? "damaged" : "torn";
}

/** The log's checksum: each frame's checksum continues that of the previous frame. */
function createChecksum(isBigEndian: boolean) {
  let [one, two] = [0, 0];
  return {
    add(bytes: Buffer) {
      for (let at = 0; at < bytes.length; at += 8) {
        const word = (offset: number) => (isBigEndian ? bytes.readUInt32BE(offset) : bytes.readUInt32LE(offset));
        one = (one + word(at) + two) >>> 0;
        two = (two + word(at + 4) + one) >>> 0;
      }
    },
    is: (bytes: Buffer, at: number) => bytes.readUInt32BE(at) === one && bytes.readUInt32BE(at + 4) === two,
  };
}
