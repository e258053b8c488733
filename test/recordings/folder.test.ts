import { execFile } from "node:child_process";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openFolder } from "../../src/recordings/fileStorage.ts";
import { openSpool } from "../../src/recordings/spool.ts";
import { FinalError } from "../../src/util/start/finalError.ts";
import { temporaryDirectory } from "../support/gateway.ts";

const SPOOL = new URL("../../src/recordings/spool.ts", import.meta.url).href;

/** Opens the folder in a process without the rights of root, which may write everywhere. Returns the error's message. */
async function refusalWithoutRoot(directory: string): Promise<string> {
  const script = `
    const { openSpool } = await import(${JSON.stringify(SPOOL)});
    if (process.getuid() === 0) process.setuid(65_534);
    await openSpool(${JSON.stringify(directory)}).catch(({ message }) => console.log(message));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  return stdout.trim();
}

async function refusal(opening: Promise<unknown>): Promise<string> {
  const error = await opening.catch((error: unknown) => error);
  expect(error).not.toBeInstanceOf(FinalError);
  return (error as Error).message;
}

describe("A RECORDINGS_DIR that is not writable", () => {
  it("is reported if it is a file or a broken link", async () => {
    await using directory = await temporaryDirectory();
    const at = (name: string) => join(directory.path, name);
    await writeFile(at("file"), "");
    await symlink(at("nowhere"), at("link"));
    for (const name of ["file", "link"]) {
      expect(await refusal(openSpool(at(name)))).toMatch(/^RECORDINGS_DIR is not writable \(E[A-Z]+\)$/);
      expect(await refusal(openFolder(at(name)))).toMatch(/^RECORDINGS_DIR /);
    }
  });

  it("is reported without the permission to write or create it", async () => {
    await using directory = await temporaryDirectory();
    await chmod(directory.path, 0o755);
    const closed = join(directory.path, "closed");
    await mkdir(closed);
    await chmod(closed, 0o555);
    for (const path of [closed, join(closed, "recordings")]) {
      expect(await refusalWithoutRoot(path)).toBe("RECORDINGS_DIR is not writable (EACCES)");
    }
  });
});
