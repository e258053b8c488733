import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { ROOT } from "../house/sources.ts";
import { onSameClock } from "../support/sameClock.ts";

const hasLibrary = globSync("/usr/lib/{*/,}faketime/libfaketime.so.1").length > 0;

/** `npm run test:matrix` with options. */
async function runMatrix(...options: string[]): Promise<{ code: number; output: string }> {
  const env = onSameClock({ PATH: process.env["PATH"] ?? "" });
  const run = promisify(execFile)(process.execPath, ["scripts/testMatrix/run.ts", ...options], { cwd: ROOT, env });
  return run.then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, output: stdout + stderr }),
  );
}

describe("The matrix of clocks, zones and loads", () => {
  it("has four times of the day in two zones, and a load", async () => {
    const { output } = await runMatrix("--list");
    expect(output.match(/^\d\d:\d\d \w+\/\w+$/gm)).toHaveLength(8);
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
