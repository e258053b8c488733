// Starts a program of this repository as its own process, as users do.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { collectLines, type LogLines } from "./logLines.ts";
import { onSameClock } from "./sameClock.ts";

/** Its lines are those on standard output. `line` rejects if the program ends first. */
export interface Program extends LogLines, AsyncDisposable {
  process: ChildProcess;
  /** The text on standard error so far. */
  stderr: () => string;
  exited: Promise<number | null>;
}

export type Environment = Record<string, string>;

const KEEP_COMPILED = new URL("./keepCompiled.js", import.meta.url).href;

/**
 * Only PATH, the folder of compiled code, the clock and the zone of the test runner's environment reach the program. Another
 * program than Node gets the arguments alone.
 */
export function startProgram(
  args: readonly string[],
  env: Environment,
  cwd?: string,
  node = process.execPath,
): Program {
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  const preload = node === process.execPath ? ["--import", KEEP_COMPILED] : [];
  const child = spawn(node, [...preload, ...args], {
    env: onSameClock({ PATH, NODE_COMPILE_CACHE, ...env }),
    stdio: ["ignore", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
  });
  const { output, line, add } = collectLines();
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  createInterface({ input: child.stdout }).on("line", add);
  const exited = once(child, "close").then(([code]) => code as number | null);
  return {
    process: child,
    output,
    stderr: () => stderr,
    exited,
    line: (fits) =>
      new Promise((resolve, reject) => {
        void line(fits).then(resolve);
        void exited.then((code) => reject(new Error(`the program ended with ${code}: ${stderr}`)));
      }),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) child.kill("SIGKILL");
      await exited;
    },
  };
}
