// Reads a process's memory from Linux (proc(5)).
import { readFileSync, writeFileSync } from "node:fs";

/** Resident megabytes: now, or the highest since the last call of `rise`. */
export function megabytes(pid: number, name: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}

/** How many megabytes above its current memory a process rises at most during `work`. */
export async function rise(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = megabytes(pid, "VmRSS");
  // Resets the peak.
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  await work();
  return megabytes(pid, "VmHWM") - before;
}
