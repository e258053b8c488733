import { spawnSync } from "node:child_process";
import { readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { temporaryDirectory } from "../support/gateway.ts";
import { onSameClock } from "../support/sameClock.ts";

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const STORAGE = source("../../src/recordings/fileStorage.ts");
const SPOOL = source("../../src/recordings/spool.ts");

const library = join(tmpdir(), `switchboard-synced-paths-${process.pid}.so`);
const hasCompiler =
  spawnSync("cc", ["-shared", "-fPIC", "-o", library, source("./syncedPaths.c"), "-ldl"]).status === 0;

afterAll(() => rmSync(library, { force: true }));

/** Runs a script in the directory. Returns the paths that were synced before it was done, relative to the directory. */
function syncedBy(script: string, directory: string): string[] {
  const list = join(directory, "synced");
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", `${script}; process.exit()`], {
    cwd: directory,
    env: onSameClock({ LD_PRELOAD: library, SYNCED_PATHS: list }),
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  const root = realpathSync(directory);
  const paths = readFileSync(list, "utf8").trim().split("\n");
  return paths.map((path) => path.replace(root, "."));
}

describe.runIf(hasCompiler)("The name of a recording's file is on the disk", () => {
  it("when the recording counts as archived, with the folder that was made for it", async () => {
    await using directory = await temporaryDirectory();
    writeFileSync(join(directory.path, "sound"), "sound");
    const script = `
      const { createFileStorage } = await import(${JSON.stringify(STORAGE)});
      await createFileStorage("archive").save("sound", { sha256: "abcd" })`;
    expect(syncedBy(script, directory.path)).toEqual(expect.arrayContaining(["./archive/ab", "./archive"]));
  });

  it("when it counts as fetched", async () => {
    await using directory = await temporaryDirectory();
    const script = `
      import { writeFileSync } from "node:fs";
      const { openSpool } = await import(${JSON.stringify(SPOOL)});
      const spool = await openSpool("spool");
      await spool.add({ sessionId: "a", url: "b" }, async (part) => writeFileSync(part, "sound"))`;
    expect(syncedBy(script, directory.path)).toContain("./spool");
  });
});
