// Commands whose output goes to a full disk, or to a reader that has gone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Runs a program of bin/ with standard output that takes nothing. */
async function runOnFullDisk(program: string, args: readonly string[], env: Record<string, string> = {}) {
  const full = openSync("/dev/full", "a");
  const child = spawn(process.execPath, [`bin/${program}.js`, ...args], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"] ?? "", CONSOLE: "off", ...env },
    stdio: ["ignore", full, "pipe"],
  });
  closeSync(full);
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => void (stderr += text));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stderr };
}

it.each([
  ["help", ["help"]],
  ["help of a command", ["events", "--help"]],
  ["a new key", ["key", "--name", "app"]],
  ["the schema", ["schema"]],
])("%s that cannot be written ends with 1 and a line that says why", async (_, args) => {
  const { code, stderr } = await runOnFullDisk("switchboard", args);
  expect(stderr.split("\n").slice(-2)).toEqual([
    "The output could not be written: ENOSPC: no space left on device, write",
    "",
  ]);
  expect(stderr).not.toContain("    at ");
  expect(code).toBe(1);
});

it("a start with wrong settings ends with 78 also where standard output takes nothing", async () => {
  const { code, stderr } = await runOnFullDisk("start", [], { PORT: "none", DATABASE_URL: "file::memory:" });
  expect(stderr).toMatch(/^The configuration cannot be used:\n/);
  expect(stderr).not.toContain("ENOSPC");
  expect(code).toBe(78);
});

it("a mistake in the command line ends with 64 also where standard output takes nothing", async () => {
  const { code, stderr } = await runOnFullDisk("switchboard", ["key", "app"]);
  expect(stderr).not.toContain("ENOSPC");
  expect(code).toBe(64);
});
