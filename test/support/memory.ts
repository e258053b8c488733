// How much memory a program takes, as Linux counts it (proc(5)).
import { readFileSync, writeFileSync } from "node:fs";

/** Resident megabytes: now, or the highest since the last call of `rise`. */
export function megabytes(pid: number, name: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}

/** By how many megabytes the memory of a process rose above what it was, at its highest. */
export async function rise(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = megabytes(pid, "VmRSS");
  // The highest is counted from now on.
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  await work();
  return megabytes(pid, "VmHWM") - before;
}
