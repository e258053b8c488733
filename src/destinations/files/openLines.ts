// Lines that an earlier build had counted as delivered and kept in `.open/` until their hour was over.
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { TargetError } from "./fileTarget.ts";
import type { HourParts, Line } from "./hourParts.ts";

const OPEN = /^([\dT-]{13})[.-].*ndjson$/;

/** Writes them into parts of their hours, and removes them. Rejects as `HourParts` does. */
export async function adoptOpenLines(folder: string, parts: HourParts, signal: AbortSignal): Promise<void> {
  const opened = join(folder, ".open");
  try {
    for (const name of (await readdir(opened)).sort()) {
      const [, hour] = OPEN.exec(name) ?? [];
      if (hour === undefined) continue;
      await parts.write(hour, linesOf((await readFile(join(opened, name))).toString()), signal);
      await rm(join(opened, name));
    }
    await rm(opened, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // There are none. What is wrong with the folder shows when a file is put there.
    if (code === "ENOENT" || code === "ENOTDIR") return;
    throw error instanceof TargetError || signal.aborted
      ? error
      : new TargetError(`The folder .open cannot be read (${code ?? "unknown cause"}).`);
  }
}

/** Leaves out what a killed process has written in part. */
function linesOf(content: string): Line[] {
  return content.split("\n").flatMap((text) => {
    try {
      const { id } = JSON.parse(text) as { id: string };
      return [{ id, text }];
    } catch {
      return [];
    }
  });
}
