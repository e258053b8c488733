import { execFile } from "node:child_process";
import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { findFaketime, removeLeftovers } from "../../scripts/testMatrix/faketimeLibrary.ts";
import { ROOT } from "../house/sources.ts";
import { temporaryDirectory } from "../support/gateway.ts";
import { onSameClock } from "../support/sameClock.ts";

const hasLibrary = findFaketime() !== null;

/** `npm run test:matrix` with options. Where it fails, the output of its cells follows. */
async function runMatrix(...options: string[]): Promise<{ code: number; output: string }> {
  const env = onSameClock({ PATH: process.env["PATH"] ?? "" });
  // Another run of this test may have the same cell at the same time.
  await using results = await temporaryDirectory();
  const args = ["scripts/testMatrix/run.ts", "--results", results.path, ...options];
  const outputs = () => globSync(join(results.path, "*.txt")).map((path) => readFileSync(path, "utf8"));
  return await promisify(execFile)(process.execPath, args, { cwd: ROOT, env }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      output: [stdout, stderr, ...outputs()].join(""),
    }),
  );
}

it.each(["x86_64-linux-gnu/", "aarch64-linux-gnu/", ""])(
  "libfaketime is found in /usr/lib/%sfaketime",
  async (folder) => {
    await using libraries = await temporaryDirectory();
    expect(findFaketime(libraries.path)).toBeNull();
    const path = join(libraries.path, folder, "faketime");
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "libfaketime.so.1"), "");
    expect(findFaketime(libraries.path)).toBe(join(path, "libfaketime.so.1"));
  },
);

it("what libfaketime keeps of ended processes is removed, because another user's process may get their ID", async () => {
  await using memory = await temporaryDirectory();
  await using processes = await temporaryDirectory();
  for (const name of ["sem.faketime_sem_7", "faketime_shm_7", "sem.faketime_sem_71", "faketime_shm_71", "other_7"])
    writeFileSync(join(memory.path, name), "");
  mkdirSync(join(processes.path, "71"));
  removeLeftovers(memory.path, processes.path);
  expect(readdirSync(memory.path).toSorted()).toEqual(["faketime_shm_71", "other_7", "sem.faketime_sem_71"]);
});

describe("The matrix of clocks, zones and loads", () => {
  it("has five times of the day in three zones, and a load", async () => {
    const { output } = await runMatrix("--list");
    expect(output.match(/^\d\d:\d\d \w+\/\w+$/gm)).toHaveLength(15);
    expect(output).toMatch(/^now, beside 4 busy processes$/m);
  });

  it("runs a cell by its name only", async () => {
    expect(await runMatrix("--list", "--only", "06:22 Pacific")).toEqual({
      code: 0,
      output: "06:22 Pacific/Kiritimati\n",
    });
    expect(await runMatrix("--list", "--only", "25:00")).toMatchObject({ code: 1 });
  });

  it.skipIf(!hasLibrary)(
    "starts tests with the cell's clock, zone and load (skipped where libfaketime is not installed)",
    async () => {
      const cell = ["--at", "2027-02-28 23:55", "--zone", "Asia/Kathmandu", "--load", "1"];
      expect(await runMatrix(...cell, "test/scripts/sameClock.test.ts")).toEqual({
        code: 0,
        output: expect.stringMatching(
          /^passed {2}2027-02-28 23:55 Asia\/Kathmandu, beside 1 busy processes {2}3 passed, 0 failed {2}\d+ s\n1 of 1 cells passed\n$/,
        ),
      });
    },
  );

  it.skipIf(!hasLibrary)(
    "fails with a cell that has no passed run (skipped where libfaketime is not installed)",
    async () => {
      const cell = ["--at", "2027-02-28 23:56", "--zone", "Asia/Kathmandu"];
      const { code, output } = await runMatrix(...cell, "test/noSuchFile.test.ts");
      expect(output).toMatch(/^failed {2}2027-02-28 23:56 Asia\/Kathmandu {2}0 passed, 0 failed {2}/);
      expect([code, output]).toEqual([1, expect.stringContaining("0 of 1 cells passed")]);
    },
  );
});
