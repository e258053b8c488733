// Writes files so that all of them are there, or none: each is complete under another name before the first gets its own.
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { FinalError } from "../../util/start/finalError.ts";

export interface NewFile {
  /** Below the folder. */
  path: string;
  content: string;
  mode: number;
}

/** The paths of those that are there, also as a broken link. */
export const existingPaths = (folder: string, paths: readonly string[]): string[] =>
  paths.filter((path) => fs.lstatSync(join(folder, path), { throwIfNoEntry: false }) !== undefined);

/**
 * Replaces files only with `replaces`. Throws before anything has its name, or takes back what has. Signals wait until all is written.
 */
export function writeNewFiles(folder: string, files: readonly NewFile[], { replaces }: { replaces: boolean }): void {
  for (const { path } of files)
    if (fs.lstatSync(join(folder, path), { throwIfNoEntry: false })?.isDirectory())
      throw new FinalError(`${path} is a folder there: move it away. Nothing was written.`);
  const wait = () => undefined;
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, wait);
  const undo: (() => void)[] = [];
  try {
    for (const path of new Set(files.map((file) => dirname(file.path)))) makeFolder(join(folder, path), undo);
    const ready = files.map((file) => writeAside(folder, file, undo));
    for (const { aside, path } of ready) place(aside, path, { replaces, undo });
  } catch (error) {
    for (const step of undo.toReversed()) step();
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, wait);
  }
}

/** Its owner alone reads it. */
function makeFolder(path: string, undo: (() => void)[]): void {
  if (fs.existsSync(path)) return;
  fs.mkdirSync(path, { mode: 0o700, recursive: true });
  undo.push(() => fs.rmSync(path, { recursive: true, force: true }));
}

function writeAside(folder: string, { path, content, mode }: NewFile, undo: (() => void)[]) {
  const target = join(folder, path);
  const aside = `${target}.${randomBytes(6).toString("hex")}`;
  const handle = fs.openSync(aside, "wx", mode);
  undo.push(() => fs.rmSync(aside, { force: true }));
  try {
    // The mode of open() lacks what the umask takes away.
    fs.fchmodSync(handle, mode);
    fs.writeFileSync(handle, content);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
  return { aside, path: target };
}

function place(aside: string, path: string, { replaces, undo }: { replaces: boolean; undo: (() => void)[] }): void {
  if (replaces) return fs.renameSync(aside, path);
  try {
    // Unlike a rename, a link replaces nothing.
    fs.linkSync(aside, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST")
      throw new FinalError(`${path} has appeared meanwhile. Nothing was written.`, { cause: error });
    // Some file systems have no links.
    if (fs.lstatSync(path, { throwIfNoEntry: false })) throw error;
    fs.renameSync(aside, path);
  }
  undo.push(() => fs.rmSync(path, { force: true }));
  fs.rmSync(aside, { force: true });
}
