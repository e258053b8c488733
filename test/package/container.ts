// Runs a program as a container engine does: in a root of its own that cannot be written to, as its first process and as another
// user. Only /data, a volume, and /tmp take writes. The network is this machine's.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProgram, type Environment, type Program } from "../support/program.ts";
import { NONROOT } from "./baseImage.ts";
import type { Image } from "./containerfile.ts";

export interface Container extends Disposable {
  /** The folder that is mounted as /data. */
  data: string;
  start(command: readonly string[], env?: Environment): Program & { signal(name: NodeJS.Signals): void };
  /** The exit code and the output of a program that ends by itself. */
  run(command: readonly string[], env?: Environment): { status: number | null; stdout: string; stderr: string };
}

/** Without the rights of root a process cannot become another user. */
export const canContain = (): boolean =>
  process.getuid?.() === 0 && spawnSync("unshare", ["--mount", "--pid", "--fork", "true"]).status === 0;

const MOUNT_AND_RUN = `
set -e
root=$1 data=$2 user=$3 folder=$4; shift 4
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount -t tmpfs tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -o remount,bind,ro "$root"
exec unshare --root "$root" --wd "$folder" --setgid "$user" --setuid "$user" -- "$@"
`;

/** `files`: what the engine writes into the root, such as /etc/hosts. */
export function createContainer(image: Image, files: Readonly<Record<string, string>> = {}): Container {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(image.root, path), text);
  const folder = mkdtempSync(join(tmpdir(), "switchboard-volume-"));
  const data = join(folder, "data");
  // An engine fills a new volume with what the image has there, owners included.
  spawnSync("cp", ["--archive", join(image.root, "data"), data]);
  const isolate = ["--mount", "--pid", "--fork", "--propagation", "private"];
  const run = ["sh", "-c", MOUNT_AND_RUN, "sh", image.root, data, String(NONROOT), image.workdir];
  const argsOf = (command: readonly string[]) => [...isolate, ...run, ...command];
  return {
    data,
    start(command, env = {}) {
      const program = startProgram(argsOf(command), { ...image.env, ...env }, undefined, "unshare");
      const { pid } = program.process;
      const signal = (name: NodeJS.Signals) => {
        const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
        process.kill(Number(first), name);
      };
      return {
        ...program,
        signal,
        async [Symbol.asyncDispose]() {
          // It would outlive the program that made its namespaces.
          if (program.process.exitCode === null) signal("SIGKILL");
          await program.exited;
        },
      };
    },
    run(command, env = {}) {
      const environment = { PATH: process.env["PATH"] ?? "", ...image.env, ...env };
      return spawnSync("unshare", argsOf(command), { env: environment, encoding: "utf8" });
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
