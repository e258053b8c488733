// Looks at SQLite's write-ahead log before SQLite does, which takes it up to the first frame that is not whole, and says
// nothing of what is behind it (sqlite.org/fileformat2.html, section 4): committed events would be gone without a word.
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * `torn`: the last transaction is not whole. A machine that lost power leaves one that it had not acknowledged; but it may
 * have been damaged since. `damaged`: whole transactions lie behind a frame that is not whole, or there is no reading it.
 */
export type WalState = "whole" | "torn" | "damaged";

const HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC = 0x377f0682;

/** Of the log beside `file`; "whole" where there is none. Not while another process writes it. */
export function readWalState(file: string): WalState {
  const path = `${file}-wal`;
  return existsSync(path) ? walState(readFileSync(path)) : "whole";
}

/** Opened once, SQLite would drop what it cannot read of it, and the next start find nothing wrong. */
export function refuseDamagedWal(file: string): never {
  // Another process at work would have it in any state: that is told instead. Read only, nothing is taken out of the log.
  using database = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  database.prepare("select count(*) from sqlite_schema").get();
  throw new Error(
    `${basename(file)}-wal is damaged, and events in it would be lost. Put back a copy, or remove it and do without`,
  );
}

function walState(bytes: Buffer): WalState {
  if (bytes.length < HEADER + FRAME_HEADER) return "whole";
  const isBigEndian = (bytes.readUInt32BE(0) & 1) === 1;
  const sum = createSum(isBigEndian);
  sum.add(bytes.subarray(0, FRAME_HEADER));
  const isHeader = (bytes.readUInt32BE(0) & ~1) === MAGIC && sum.is(bytes, FRAME_HEADER);
  const pageSize = bytes.readUInt32BE(8);
  if (!isHeader || pageSize < 512) return "damaged";

  const salts = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  let isBroken = false;
  let lost = 0;
  let commitsLost = 0;
  for (let at = HEADER; at + FRAME_HEADER <= bytes.length; at += FRAME_HEADER + pageSize) {
    const page = bytes.subarray(at + FRAME_HEADER, at + FRAME_HEADER + pageSize);
    const hits = [8, 12].filter((offset, which) => bytes.readUInt32BE(at + offset) === salts[which]).length;
    if (!isBroken && hits === 2 && page.length === pageSize) {
      sum.add(bytes.subarray(at, at + 8));
      sum.add(page);
      if (sum.is(bytes, at + 16)) continue;
    }
    isBroken = true;
    // Frames of an earlier round, which were written into the database long ago, have other salts.
    if (hits === 0) continue;
    lost += 1;
    if (hits === 2 && bytes.readUInt32BE(at + 4) !== 0) commitsLost += 1;
  }
  if (lost === 0) return "whole";
  return commitsLost > 1 ? "damaged" : "torn";
}

/** The running sum of SQLite's log: each frame's goes on from the one before. */
function createSum(isBigEndian: boolean) {
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
