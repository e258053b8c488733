// Describes the machine and the versions on which the figures depend.
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import { temporaryDirectory } from "../../test/support/gateway.ts";
import { figure } from "./statistics.ts";

export async function printMachineFacts(): Promise<void> {
  await using directory = await temporaryDirectory();
  const lines = [
    `Node ${process.version}, ${process.platform} ${process.arch}`,
    `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"}), which load, gateway and service share`,
    `load average before: ${loadavg()[0]?.toFixed(2)}`,
    `a 4 kB write and fsync where the databases are: ${figure(measureFsyncsMs(join(directory.path, "fsync")))} ms`,
  ];
  console.log(lines.join("\n"));
}

function measureFsyncsMs(path: string): number[] {
  const file = openSync(path, "w");
  const page = Buffer.alloc(4096);
  const times = Array.from({ length: 50 }, () => {
    const began = performance.now();
    writeSync(file, page);
    fsyncSync(file);
    return performance.now() - began;
  });
  closeSync(file);
  return times;
}
