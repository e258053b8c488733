// Runs the measured process and the measuring one on different cores, if the machine has two and `taskset`.
import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";

export interface Cores {
  /** Printed beside the figures. */
  description: string;
  /** Pins a process with all its threads. */
  measured(pid: number | undefined): void;
  measuring(pid: number | undefined): void;
}

export function findCores(): Cores {
  try {
    if (availableParallelism() < 2) throw new Error("one core");
    execFileSync("taskset", ["--version"], { stdio: "ignore" });
  } catch {
    return { description: "server, load and stub on whatever core was free", measured() {}, measuring() {} };
  }
  return {
    description: "server on one core, load and stub on another",
    measured: (pid) => pin(pid, 0),
    measuring: (pid) => pin(pid, 1),
  };
}

function pin(pid: number | undefined, core: number): void {
  if (pid !== undefined) execFileSync("taskset", ["-a", "-c", "-p", `${core}`, `${pid}`], { stdio: "ignore" });
}
