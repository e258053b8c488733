// The memory limit of the control groups of Linux that hold this process: its own group and those above it. Node's
// constrainedMemory() reads the own group alone, while systemd sets the limit of a slice, and Kubernetes that of a pod, above it.
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** cgroup(7): where each version mounts the groups, and where the limits of one are. */
const VERSIONS = [
  {
    own: /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m,
    mount: "sys/fs/cgroup/memory",
    // The least of the group and those above it. There are mounts that show no group above.
    limits: [["memory.stat", /^hierarchical_memory_limit (\d+)$/m]],
  },
  {
    own: /^0::(.*)$/m,
    mount: "sys/fs/cgroup",
    // Above memory.high the kernel slows the group down until it stands.
    limits: [
      ["memory.max", /^(\d+)$/m],
      ["memory.high", /^(\d+)$/m],
    ],
  },
] as const;

/** Bytes; more than the machine has where there is no limit. `root`: of the file system. Null where no group can be read. */
export function readMemoryLimit(root = "/"): number | null {
  const groups = textOf(join(root, "proc/self/cgroup"));
  for (const { own, mount, limits } of VERSIONS) {
    const path = own.exec(groups)?.[1];
    if (path === undefined) continue;
    const folders = andAbove(path).map((each) => join(root, mount, each));
    const texts = folders.flatMap((folder) =>
      limits.map(([file, value]) => ({ text: textOf(join(folder, file)), value })),
    );
    const read = texts.filter(({ text }) => text !== "");
    if (read.length === 0) continue;
    return Math.min(...read.map(({ text, value }) => Number(value.exec(text)?.[1] ?? Infinity)));
  }
  return null;
}

/** A container may see the path that its group has outside, of which only the last part, or nothing, is mounted. */
function andAbove(path: string): string[] {
  const parts = posix.join("/", path).split("/").filter(Boolean);
  return Array.from({ length: parts.length + 1 }, (_, cut) => parts.slice(0, parts.length - cut).join("/"));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    // Another system than Linux, a version that is not mounted, or a group that is not.
    return "";
  }
}
