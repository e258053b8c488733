// Reads which libraries a program needs, as `readelf -d` prints them: the entries NEEDED of its dynamic section.
import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";

const MAGIC = "\x7fELF";
const SECTION = { strings: 3, dynamic: 6 };
const NEEDED = 1n;

/** The programs and libraries in a folder, with the libraries that each needs. */
export function neededIn(folder: string): Map<string, string[]> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return new Map(files.filter(isProgram).map((file) => [file, neededBy(file)]));
}

function isProgram(path: string): boolean {
  if (!lstatSync(path).isFile()) return false;
  const file = openSync(path, "r");
  const start = Buffer.alloc(4);
  readSync(file, start);
  closeSync(file);
  return start.toString("latin1") === MAGIC;
}

/** Reads a file of 64 bits, little-endian, as all machines are that the image is built for. */
function neededBy(path: string): string[] {
  const file = readFileSync(path);
  if (file[4] !== 2 || file[5] !== 1) throw new Error(`${path} is no file of 64 bits, little-endian.`);
  const numberAt = (offset: number) => Number(file.readBigUInt64LE(offset));
  const [table, size, count] = [numberAt(0x28), file.readUInt16LE(0x3a), file.readUInt16LE(0x3c)];
  const sectionAt = (index: number) => {
    const at = table + index * size;
    return {
      type: file.readUInt32LE(at + 4),
      offset: numberAt(at + 24),
      bytes: numberAt(at + 32),
      link: file.readUInt32LE(at + 40),
    };
  };
  const dynamic = Array.from({ length: count }, (_, index) => sectionAt(index)).find(
    ({ type }) => type === SECTION.dynamic,
  );
  if (!dynamic) return [];
  const strings = sectionAt(dynamic.link);
  if (strings.type !== SECTION.strings) throw new Error(`${path} has no names for its dynamic section.`);
  const names: string[] = [];
  for (let at = dynamic.offset; at < dynamic.offset + dynamic.bytes; at += 16) {
    if (file.readBigInt64LE(at) !== NEEDED) continue;
    const start = strings.offset + numberAt(at + 8);
    names.push(file.toString("latin1", start, file.indexOf(0, start)));
  }
  return names;
}
