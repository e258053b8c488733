// Runs a program of node_modules/.bin for a bounded time, with everything that it starts.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export interface ProgramOptions {
  folder: string;
  seconds: number;
  env?: Record<string, string>;
  /** A file descriptor that gets standard output and standard error. Default: nothing does. */
  output?: number;
}

/** The exit code; null where the time was over, and the program with all that it started was ended. */
export async function runProgram(
  name: string,
  args: readonly string[],
  { folder, seconds, env = {}, output }: ProgramOptions,
): Promise<number | null> {
  const child = spawn(process.execPath, [join(folder, "node_modules", ".bin", name), ...args], {
    cwd: folder,
    // A group of its own, so that the programs of its tests end with it.
    detached: true,
    stdio: output === undefined ? ["ignore", "pipe", "ignore"] : ["ignore", output, output],
    env: { ...process.env, ...env },
  });
  const { promise: exited, resolve } = Promise.withResolvers<number | null>();
  child.once("exit", resolve);
  const endGroup = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // Nothing of the group is left.
    }
  };
  const timer = setTimeout(endGroup, seconds * 1000);
  process.once("exit", endGroup);
  const [code] = await Promise.all([exited, child.stdout && text(child.stdout)]);
  clearTimeout(timer);
  process.off("exit", endGroup);
  endGroup();
  return code;
}
