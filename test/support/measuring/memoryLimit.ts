// Starts a program with a limit of its memory, as a container engine or systemd does: in a control group of Linux.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = "/sys/fs/cgroup";
/** cgroup(7), versions 1 and 2. */
const VERSIONS = [
  {
    own: /^\d+:memory:(.*)$/m,
    root: join(ROOT, "memory"),
    limit: "memory.limit_in_bytes",
    kills: "memory.oom_control",
  },
  { own: /^0::(.*)$/m, root: ROOT, limit: "memory.max", kills: "memory.events" },
];

export interface MemoryLimit extends Disposable {
  /** Starts a program by `start`, which resolves when it runs. Meanwhile this process is under the limit, too. */
  run<T>(start: () => Promise<T>): Promise<T>;
  /** The program and its arguments as those of a shell that enters the group, and becomes the program. */
  command(program: readonly string[]): readonly [string, readonly string[]];
  /** How many of its processes were ended because they needed more. */
  kills(): number;
}

/**
 * Null where this process may not make control groups. `isAbove`: the limit is that of a group above the program's, as systemd has
 * it for a slice, and Kubernetes for a pod.
 */
export function createMemoryLimit(megabytes: number, { isAbove = false } = {}): MemoryLimit | null {
  for (const version of VERSIONS) {
    const own = version.own.exec(readOrEmpty("/proc/self/cgroup"))?.[1];
    const folder = join(version.root, `switchboard-${process.pid}-${megabytes}`);
    if (own === undefined || !existsSync(join(version.root, own, version.kills))) continue;
    const inner = isAbove ? join(folder, "inner") : folder;
    const remove = () => [...new Set([inner, folder])].filter(existsSync).forEach((each) => rmdirSync(each));
    try {
      mkdirSync(folder);
      mkdirSync(inner, { recursive: true });
      writeFileSync(join(folder, version.limit), String(megabytes * 1024 * 1024));
    } catch {
      remove();
      continue;
    }
    const enter = (path: string) => writeFileSync(join(path, "cgroup.procs"), String(process.pid));
    return {
      async run(start) {
        // A child begins in the group of its parent.
        enter(inner);
        try {
          return await start();
        } finally {
          enter(join(version.root, own));
        }
      },
      command: (program) => ["sh", ["-c", 'echo $$ > "$0" && exec "$@"', join(inner, "cgroup.procs"), ...program]],
      kills() {
        // An inner group of version 2 has no files of its own, and one of version 1 counts by itself.
        const text = readOrEmpty(join(inner, version.kills)) || readOrEmpty(join(folder, version.kills));
        return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
      },
      [Symbol.dispose]: remove,
    };
  }
  return null;
}

function readOrEmpty(path: string): string {
  return existsSync(path) ? readFileSync(path, "latin1") : "";
}
