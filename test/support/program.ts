// Starts a program of this repository as its own process, as users do.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Program extends AsyncDisposable {
  process: ChildProcess;
  /** The lines on standard output so far, log lines included. */
  output: string[];
  /** The text on standard error so far. */
  stderr: () => string;
  /** Resolves with the first matching log line; rejects if the program ends first. */
  line: (fits: (line: Record<string, unknown>) => boolean) => Promise<Record<string, unknown>>;
  exited: Promise<number | null>;
}

export type Environment = Record<string, string>;

const KEEP_COMPILED = new URL("./keepCompiled.js", import.meta.url).href;

/** Of the test runner's environment, only PATH and the folder of compiled code reach the program. */
export function startProgram(
  args: readonly string[],
  env: Environment,
  cwd?: string,
  node = process.execPath,
): Program {
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  const child = spawn(node, ["--import", KEEP_COMPILED, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
  });
  const output: string[] = [];
  const listeners = new Set<(line: string) => void>();
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  createInterface({ input: child.stdout }).on("line", (line) => {
    output.push(line);
    for (const listener of listeners) listener(line);
  });
  const exited = once(child, "close").then(([code]) => code as number | null);
  return {
    process: child,
    output,
    stderr: () => stderr,
    exited,
    line: (fits) =>
      new Promise((resolve, reject) => {
        const check = (text: string) => {
          const line = parsedLine(text);
          if (line && fits(line)) resolve(line);
        };
        listeners.add(check);
        output.forEach(check);
        void exited.then((code) => reject(new Error(`the program ended with ${code}: ${stderr}`)));
      }),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) child.kill("SIGKILL");
      await exited;
    },
  };
}

function parsedLine(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}
