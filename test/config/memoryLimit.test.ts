import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { memoryOfProcess } from "../../src/config/memory.ts";
import { readMemoryLimit } from "../../src/config/memoryLimit.ts";
import { createMemoryLimit } from "../support/measuring/memoryLimit.ts";

const MIB = 1024 * 1024;
const NONE_V1 = 9_223_372_036_854_771_712;

/** A file system with these files, until the end of the test. */
function fileSystem(files: Record<string, string | number>): string {
  const root = mkdtempSync(join(tmpdir(), "switchboard-groups-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${content}\n`);
  }
  return root;
}

const own = (groups: string) => ({ "proc/self/cgroup": groups });
const v2 = (group: string, max: string | number, high: string | number = "max") => ({
  [`sys/fs/cgroup${group}/memory.max`]: max,
  [`sys/fs/cgroup${group}/memory.high`]: high,
});
const v1 = (group: string, least: number) => ({
  [`sys/fs/cgroup/memory${group}/memory.stat`]: `cache 12288\nhierarchical_memory_limit ${least}\nhierarchical_memsw_limit ${NONE_V1}`,
  // A reservation, which limits nothing.
  [`sys/fs/cgroup/memory${group}/memory.soft_limit_in_bytes`]: MIB,
});

describe("The memory limit of control groups", () => {
  it.each([
    ["version 2, of the own group", { ...own("0::/a.slice/b.service"), ...v2("/a.slice/b.service", 300 * MIB) }, 300],
    [
      "version 2, of a group above one without a limit",
      { ...own("0::/a.slice/b.service"), ...v2("/a.slice", 400 * MIB), ...v2("/a.slice/b.service", "max") },
      400,
    ],
    [
      "version 2, above a group that does not limit memory at all",
      { ...own("0::/a.slice/b.service/c"), ...v2("/a.slice", 400 * MIB) },
      400,
    ],
    [
      "version 2, the least of several",
      { ...own("0::/a/b"), ...v2("/a", 200 * MIB), ...v2("/a/b", 500 * MIB, 300 * MIB) },
      200,
    ],
    ["version 2, where a group is slowed down", { ...own("0::/a"), ...v2("/a", 500 * MIB, 350 * MIB) }, 350],
    ["version 2, in a container with groups of its own", { ...own("0::/"), ...v2("", 256 * MIB) }, 256],
    ["version 2, of a group outside of the namespace", { ...own("0::/../../x"), ...v2("", 256 * MIB) }, 256],
    ["version 2, in a container that sees its path outside", { ...own("0::/docker/f00"), ...v2("", 256 * MIB) }, 256],
    [
      "version 1, of the group and those above",
      { ...own("8:pids:/a\n4:memory:/a/b\n0::/"), ...v1("/a/b", 384 * MIB) },
      384,
    ],
    ["version 1, together with another controller", { ...own("4:cpu,memory,pids:/a"), ...v1("/a", 384 * MIB) }, 384],
    [
      "version 1, in a container that sees its path outside",
      { ...own("4:memory:/docker/f00"), ...v1("", 128 * MIB) },
      128,
    ],
    [
      "version 1 beside version 2, which limits no memory",
      { ...own("4:memory:/a\n0::/a"), ...v1("/a", 384 * MIB) },
      384,
    ],
    ["version 2 beside a version 1 that is not mounted", { ...own("4:memory:/a\n0::/a"), ...v2("/a", 384 * MIB) }, 384],
  ])("%s", (_, files, mebibytes) => {
    expect(readMemoryLimit(fileSystem(files))).toBe(mebibytes * MIB);
  });

  it("is more than the machine has where no group has one", () => {
    const most = memoryOfProcess(0);
    expect(memoryOfProcess(readMemoryLimit(fileSystem({ ...own("0::/a"), ...v2("/a", "max") })) ?? 0)).toBe(most);
    expect(memoryOfProcess(readMemoryLimit(fileSystem({ ...own("4:memory:/a"), ...v1("/a", NONE_V1) })) ?? 0)).toBe(
      most,
    );
  });

  it("is not known where there are no groups", () => {
    expect(readMemoryLimit(fileSystem({}))).toBeNull();
    expect(readMemoryLimit(fileSystem(own("0::/a\n4:memory:/a")))).toBeNull();
  });
});

const MODULE = new URL("../../src/config/memory.ts", import.meta.url).href;
const PRINT = `import("${MODULE}").then(({ memoryOfProcess }) => console.log(memoryOfProcess() / ${MIB}))`;

describe("A process under a real limit", () => {
  it.for([
    ["of its own group", false],
    ["of the group above its own", true],
  ] as const)("knows the limit %s", ([, isAbove], { skip }) => {
    using limit = createMemoryLimit(512, { isAbove });
    skip(limit === null, "this user may not make control groups");
    const command = limit?.command([process.execPath, "-e", PRINT]) ?? ["", []];
    expect(spawnSync(...command, { encoding: "utf8" }).stdout).toBe("512\n");
  });
});
