// Writes lines to a file descriptor, such as standard output. It never throws and never waits: a line that cannot be written, because
// the disk is full or the reader has gone, is dropped and counted. What a slow reader does not take yet waits in memory, up to a limit.
import { writeSync } from "node:fs";

export interface LineOutput {
  /** `line` ends with a line break. */
  write(line: string): void;
  /** Lines that were dropped since the start. */
  lostLines(): number;
}

export interface LineOutputOptions {
  /** Descriptor of a file, or of a pipe, socket or terminal that does not block. */
  fd: number;
  /** Makes the line that stands in the place of lost ones, when lines can be written again. */
  lossLine: (lines: number) => string;
}

interface Entry {
  bytes: Buffer;
  /** How many lost lines it tells of. 0: it is an ordinary line. */
  tellsOf: number;
}

/** A reader that is stopped for a moment loses nothing. */
const MAX_WAITING_BYTES = 1024 * 1024;
const RETRY_MS = 100;
/** The reader of a pipe is slow. */
const BUSY_CODES: readonly unknown[] = ["EAGAIN", "EBUSY", "EINTR"];

export function createLineOutput({ fd, lossLine }: LineOutputOptions): LineOutput {
  let waiting: Entry[] = [];
  let waitingBytes = 0;
  /** Bytes of the first entry that were written. */
  let offset = 0;
  /** A line was written in part, and its rest is lost. */
  let isTorn = false;
  let lost = 0;
  let untold = 0;
  let timer: NodeJS.Timeout | undefined;
  let triesAtExit = false;

  function add(text: string, tellsOf: number): void {
    const bytes = Buffer.from(text);
    waiting.push({ bytes, tellsOf });
    waitingBytes += bytes.length;
  }
  function tellLoss(): void {
    if (untold === 0) return;
    add(lossLine(untold), untold);
    untold = 0;
  }
  function writeWaiting(): void {
    if (isTorn) writeSync(fd, "\n");
    isTorn = false;
    for (let [entry] = waiting; entry; [entry] = waiting) {
      offset += writeSync(fd, entry.bytes, offset);
      if (offset < entry.bytes.length) continue;
      waiting.shift();
      waitingBytes -= entry.bytes.length;
      offset = 0;
    }
  }
  function drop(): void {
    isTorn ||= offset > 0;
    for (const { tellsOf } of waiting) {
      untold += tellsOf || 1;
      if (tellsOf === 0) lost += 1;
    }
    [waiting, waitingBytes, offset] = [[], 0, 0];
  }
  function flush(): void {
    try {
      writeWaiting();
    } catch (error) {
      if (!BUSY_CODES.includes((error as NodeJS.ErrnoException).code)) drop();
    }
    if (waiting.length > 0 || untold > 0) retryLater();
  }
  function retryLater(): void {
    // The last lines of a process say why it ends.
    if (!triesAtExit) process.once("exit", retry);
    triesAtExit = true;
    timer ??= setTimeout(retry, RETRY_MS).unref();
  }
  /** Also tells of a loss when no further line comes. */
  function retry(): void {
    timer = undefined;
    tellLoss();
    flush();
  }

  return {
    write(line) {
      // A write that fails costs much more than one that succeeds, so lines do not try between two retries.
      const isFailing = timer !== undefined;
      if (waitingBytes >= MAX_WAITING_BYTES || (isFailing && untold > 0)) {
        lost += 1;
        untold += 1;
        return;
      }
      add(line, 0);
      if (!isFailing) flush();
    },
    lostLines: () => lost,
  };
}
