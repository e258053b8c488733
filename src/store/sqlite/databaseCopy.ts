// Copies a SQLite database into a new file: a snapshot without deleted data, which carries its own checksum in SQLite's
// `user_version`, a number that SQLite leaves to applications.
import { closeSync, fsyncSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { isDatabaseHeader } from "./databaseFile.ts";

/** Read and write for the owner alone: the file holds phone numbers and the key that signs cursors. */
const OWNER_ONLY = 0o600;
/** Where a SQLite file holds `user_version` (sqlite.org/fileformat2.html, section 1.3). */
const USER_VERSION = { at: 60, bytes: 4 };
const HEADER_BYTES = 100;
const CHUNK_BYTES = 1024 * 1024;

/** Writes a snapshot of a database into a new file, on disk when it returns. Writers of the database do not wait for it. */
export function copyDatabase(database: string, copy: string): void {
  createFile(copy);
  try {
    // A read of the write-ahead log: the gateway goes on appending to it meanwhile.
    using source = new DatabaseSync(database, { readOnly: true });
    source.prepare("vacuum into ?").run(copy);
    writeChecksum(copy);
  } catch (error) {
    rmSync(copy);
    throw error;
  }
}

/** Creates an empty file for its owner alone. Throws an Error of one line if it exists. */
export function createFile(file: string): void {
  try {
    closeSync(openSync(file, "wx", OWNER_ONLY));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Error(`${file} exists already. Choose another name, or remove it.`, { cause: error });
  }
}

function writeChecksum(file: string): void {
  const checksum = Buffer.alloc(USER_VERSION.bytes);
  checksum.writeUInt32BE(readBytes(file).checksum);
  const handle = openSync(file, "r+");
  try {
    writeSync(handle, checksum, 0, checksum.length, USER_VERSION.at);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Throws if the file is no database, or its checksum is wrong. A copy that another tool made has none (0). */
export function checkBytes(file: string): void {
  const { header, checksum } = readBytes(file);
  const stored = header.readUInt32BE(USER_VERSION.at);
  if (stored !== 0 && stored !== checksum) throw new Error("it is damaged: its checksum is wrong");
}

/** The checksum is over every byte, with 0 in the place of the checksum itself. */
function readBytes(file: string): { header: Buffer; checksum: number } {
  const header = Buffer.alloc(HEADER_BYTES);
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const handle = openSync(file, "r");
  let checksum = 0;
  try {
    readSync(handle, header, 0, header.length, 0);
    // A device has no end.
    if (!isDatabaseHeader(header)) throw new Error("it is not a SQLite database");
    for (let at = 0; ;) {
      const bytes = readSync(handle, chunk, 0, chunk.length, at);
      if (bytes === 0) return { header, checksum };
      if (at === 0) chunk.fill(0, USER_VERSION.at, USER_VERSION.at + USER_VERSION.bytes);
      checksum = crc32(chunk.subarray(0, bytes), checksum);
      at += bytes;
    }
  } finally {
    closeSync(handle);
  }
}

/** Makes renames in the file's folder durable. */
export function syncFolder(file: string): void {
  const handle = openSync(dirname(file), "r");
  fsyncSync(handle);
  closeSync(handle);
}
