// Runs a program of this repository as a process of its own, as its users do.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Program extends AsyncDisposable {
  process: ChildProcess;
  /** Log lines and anything else on standard output so far. */
  output: string[];
  /** What it told people, on standard error. */
  stderr: () => string;
  /** Resolves with the first log line that fits; rejects when the program ends before. */
  line: (fits: (line: Record<string, unknown>) => boolean) => Promise<Record<string, unknown>>;
  exited: Promise<number | null>;
}

export type Environment = Record<string, string>;

/** The variables of the machine that runs the tests must not reach the program: only PATH does. */
export function startProgram(args: readonly string[], env: Environment, cwd?: string): Program {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
  });
  const output: string[] = [];
  const listeners = new Set<(line: string) => void>();
  let told = "";
  child.stderr.on("data", (chunk: Buffer) => (told += chunk.toString()));
  createInterface({ input: child.stdout }).on("line", (line) => {
    output.push(line);
    for (const listener of listeners) listener(line);
  });
  const exited = once(child, "close").then(([code]) => code as number | null);
  return {
    process: child,
    output,
    stderr: () => told,
    exited,
    line: (fits) =>
      new Promise((resolve, reject) => {
        const look = (text: string) => {
          const line = parsedLine(text);
          if (line && fits(line)) resolve(line);
        };
        listeners.add(look);
        output.forEach(look);
        void exited.then((code) => reject(new Error(`the program ended with ${code}: ${told}`)));
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
