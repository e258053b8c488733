// Keeps the processors and the disk busy beside a test run.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const COMPUTE = "for (;;);";
/** Each sync makes those of others wait. */
const WRITE = `
  const { fsyncSync, openSync, writeSync } = require("node:fs");
  const [file, bytes] = [openSync(process.argv[1], "w"), Buffer.alloc(1 << 20)];
  for (;;) { writeSync(file, bytes, 0, bytes.length, 0); fsyncSync(file); }
`;

/** Until it is disposed of, or this process ends. One of the processes syncs a file without end, the others compute. */
export function startLoad(processes: number): Disposable {
  const folder = mkdtempSync(join(tmpdir(), "switchboard-load-"));
  const children = Array.from({ length: processes }, (_, at) =>
    spawn(process.execPath, at === 0 ? ["--eval", WRITE, join(folder, "synced")] : ["--eval", COMPUTE], {
      stdio: "ignore",
    }),
  );
  const end = () => {
    for (const child of children) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", end);
  return {
    [Symbol.dispose]() {
      process.off("exit", end);
      end();
    },
  };
}
