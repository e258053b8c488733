import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readApiKeys } from "../../src/auth/apiKeys.ts";
import { temporaryDirectory } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { CLI } from "../support/sandbox.ts";

async function run(...args: string[]) {
  await using program = startProgram([CLI, "key", ...args], {});
  return { code: await program.exited, lines: program.output, stderr: program.stderr() };
}

describe("switchboard key", () => {
  it("prints only the entry on standard output, and a list of entries is a file of keys", async () => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, "keys.json");
    const { code, lines, stderr } = await run("--name", "web", "--scopes", " calls:read, people:read,");
    expect([code, lines.length]).toEqual([0, 1]);
    expect(stderr).toMatch(/\n {2}swb_[\w-]{43}\n/);
    expect(stderr).toContain("a list: [LINE] for one key");
    await writeFile(file, `[${lines[0]}]`);
    expect(await readApiKeys(file)).toMatchObject([{ name: "web", scopes: ["calls:read", "people:read"] }]);
    await writeFile(file, lines.join("\n"));
    await expect(readApiKeys(file)).rejects.toThrow("is not a list: its entries must be in [ ]");
  });

  it.each([
    [["--name", "web", "--scopes", "calls:read, calls:red"], "Unknown scope: calls:red."],
    [["--name", "web", "--scopes", " , "], "A key needs --scopes."],
    [[], "A key needs a --name."],
    [["--name", "two\nlines"], "--name must have at most 255 characters and no control characters."],
  ])("explains what is wrong with %j", async (args, problem) => {
    const { code, lines, stderr } = await run(...args);
    expect([code, lines, stderr.split("\n", 1)[0]]).toEqual([64, [], problem]);
  });
});
