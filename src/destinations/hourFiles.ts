// Lines of events in files by hour, which appear once and whole: `2026-11-20T09-0001.ndjson.gz`, and beside it a manifest. Until then the lines
// are in `.open/`, each on disk before it counts as taken.
import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { epochMsOf } from "../format/instant.ts";
import { HOUR_MS, MINUTE_MS } from "../util/durations.ts";
import { syncDirectory } from "../util/syncDirectory.ts";

export interface Line {
  id: string;
  /** RFC 3339. It says in which hour's file the line is. */
  timestamp: string;
}

export interface HourFiles extends AsyncDisposable {
  /** Resolves when the line is on disk. False: another gateway has begun to write the file, and the line may be in it or not. */
  add(line: Line): Promise<boolean>;
  /** Writes the files of hours that are over, also those that a process before this one left. */
  finish(): Promise<void>;
}

export interface HourFilesOptions {
  folder: string;
  clock: () => number;
  /** A larger file is finished before its hour is over. */
  maxBytes?: number;
}

const MAX_BYTES = 32 * 1024 * 1024;
/** Events of an hour may come a little after it. Later ones are in a further part. */
const GRACE_MS = MINUTE_MS;
const OPEN = /^([\dT-]{13})\.ndjson$/;
const CLOSED = /^([\dT-]{13})\.[\da-f-]{36}\.ndjson$/;
const NUMBERED = /^([\dT-]{18})\.ndjson$/;
const HOUR = "2026-11-20T09";
const HOUR_AND_PART = `${HOUR}-0001`.length;
const MAX_PARTS = 9999;
const compress = promisify(gzip);

/** All members run one after the other. They reject as the file system does. */
export function createHourFiles({ folder, clock, maxBytes = MAX_BYTES }: HourFilesOptions): HourFiles {
  const opened = join(folder, ".open");
  const handles = new Map<string, FileHandle>();
  let running: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const made = running.then(work);
    running = made.catch(() => undefined);
    return made;
  };
  const pathOf = (hour: string) => join(opened, `${hour}.ndjson`);

  async function handleOf(hour: string): Promise<FileHandle> {
    const known = handles.get(hour);
    if (known) return known;
    await mkdir(opened, { recursive: true, mode: 0o700 });
    const handle = await open(pathOf(hour), "a", 0o600);
    handles.set(hour, handle);
    await syncDirectory(opened);
    return handle;
  }
  async function add(line: Line): Promise<boolean> {
    const hour = line.timestamp.slice(0, HOUR.length);
    const handle = await handleOf(hour);
    // A line break before it ends a line that a killed process has written in part.
    await handle.appendFile(`\n${JSON.stringify(line)}\n`);
    await handle.datasync();
    const [own, named] = [await handle.stat(), await stat(pathOf(hour)).catch(() => null)];
    const isIn = named !== null && named.ino === own.ino && named.dev === own.dev;
    if (!isIn || own.size >= maxBytes) await release(hour);
    if (isIn && own.size >= maxBytes) await close(hour);
    return isIn;
  }
  async function release(hour: string): Promise<void> {
    const handle = handles.get(hour);
    handles.delete(hour);
    await handle?.close();
  }
  /** From here on nobody adds to what the hour has so far. */
  async function close(hour: string): Promise<void> {
    await release(hour);
    const closed = `${hour}.${randomUUID()}.ndjson`;
    const isOurs = await rename(pathOf(hour), join(opened, closed)).then(() => true, nullIfMissing);
    if (isOurs) await number(hour, closed);
  }
  /** Gives it the number of its part. */
  async function number(hour: string, closed: string): Promise<void> {
    const taken = new Set((await readdir(folder)).map((name) => name.slice(0, HOUR_AND_PART)));
    for (let part = 1; part <= MAX_PARTS; part += 1) {
      const name = `${hour}-${String(part).padStart(4, "0")}`;
      if (taken.has(name)) continue;
      // Unlike rename, link fails where another gateway has this part.
      const made = await link(join(opened, closed), join(opened, `${name}.ndjson`))
        .catch(falseIfThere)
        .catch(nullIfMissing);
      if (made === false) continue;
      // Another gateway has numbered it.
      if (made === null) return;
      await rm(join(opened, closed), { force: true });
      await syncDirectory(opened);
      return write(name);
    }
    throw new Error("An hour has too many parts.");
  }
  /** Whatever a process before this one has left of it: each name stands for a whole file. */
  async function write(name: string): Promise<void> {
    const source = join(opened, `${name}.ndjson`);
    const content = await readFile(source, "utf8").catch(nullIfMissing);
    if (content === null) return;
    const lines = wholeLines(content);
    if (lines.length > 0) {
      const bytes = await compress(lines.map(({ text }) => `${text}\n`).join(""));
      const file = `${name}.ndjson.gz`;
      const isWritten = await writeWhole(file, bytes);
      // What a killed process has written of these lines is the same. Otherwise another gateway had the number at the same time.
      if (!isWritten && !bytes.equals(await readFile(join(folder, file)))) return renumber(name);
      const timestamps = lines.map(({ timestamp }) => timestamp).sort();
      const manifest = {
        file,
        events: lines.length,
        bytes: bytes.length,
        sha256: createHash("sha256").update(bytes).digest("hex"),
        first: timestamps[0],
        last: timestamps.at(-1),
      };
      await writeWhole(`${name}.manifest.json`, Buffer.from(`${JSON.stringify(manifest)}\n`));
    }
    await rm(source, { force: true });
  }
  async function renumber(name: string): Promise<void> {
    const hour = name.slice(0, HOUR.length);
    const closed = `${hour}.${randomUUID()}.ndjson`;
    const isOurs = await rename(join(opened, `${name}.ndjson`), join(opened, closed)).then(() => true, nullIfMissing);
    if (isOurs) await number(hour, closed);
  }
  /** False: a file is there already. It is whole, and stays as it is. */
  async function writeWhole(name: string, bytes: Uint8Array): Promise<boolean> {
    const temporary = join(opened, `${randomUUID()}.part`);
    {
      await using handle = await open(temporary, "wx", 0o640);
      await handle.writeFile(bytes);
      await handle.sync();
    }
    const made = await link(temporary, join(folder, name)).catch(falseIfThere);
    await syncDirectory(folder);
    await rm(temporary);
    return made !== false;
  }
  async function finish(): Promise<void> {
    const names = (await readdir(opened).catch(nullIfMissing)) ?? [];
    for (const name of names.sort()) {
      if (name.endsWith(".part")) await removeOld(join(opened, name));
      const [, numbered] = NUMBERED.exec(name) ?? [];
      const [, closed] = CLOSED.exec(name) ?? [];
      const [, hour] = OPEN.exec(name) ?? [];
      if (numbered !== undefined) await write(numbered);
      else if (closed !== undefined) await number(closed, name);
      else if (hour !== undefined && epochMsOf(`${hour}:00:00.000Z`) + HOUR_MS + GRACE_MS <= clock()) await close(hour);
    }
  }
  /** A process that was killed has left it. */
  async function removeOld(path: string): Promise<void> {
    const found = await stat(path).catch(nullIfMissing);
    if (found && clock() - found.mtimeMs > HOUR_MS) await rm(path, { force: true });
  }
  return {
    add: (line) => inTurn(() => add(line)),
    finish: () => inTurn(finish),
    async [Symbol.asyncDispose]() {
      await inTurn(async () => void (await Promise.all([...handles.keys()].map(release))));
    },
  };
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
function falseIfThere(error: NodeJS.ErrnoException): false {
  if (error.code === "EEXIST") return false;
  throw error;
}

/** Leaves out what a killed process has written in part, and repeats of an id. */
function wholeLines(text: string): (Line & { text: string })[] {
  const found = new Map<string, Line & { text: string }>();
  for (const each of text.split("\n")) {
    const line = each === "" ? null : parsed(each);
    if (line && !found.has(line.id)) found.set(line.id, { id: line.id, timestamp: line.timestamp, text: each });
  }
  return [...found.values()];
}

function parsed(text: string): Line | null {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return null;
  }
}
