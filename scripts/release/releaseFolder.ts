// The folder in which a release is made: the checkout, or for a dry run a copy of its last commit.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface ReleaseFolder extends Disposable {
  folder: string;
}

export const git = (folder: string, ...args: string[]): string =>
  execFileSync("git", args, { cwd: folder, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });

export const inPlace = (folder: string): ReleaseFolder => ({ folder, [Symbol.dispose]: () => undefined });

/** Nothing in the checkout changes. Only what is committed is in the copy, with the installed packages. */
export function copyOf(checkout: string, workspaces: readonly string[]): ReleaseFolder {
  const folder = mkdtempSync(join(tmpdir(), "switchboard-release-"));
  const archive = execFileSync("git", ["archive", "HEAD"], { cwd: checkout, maxBuffer: 256 * 1024 * 1024 });
  execFileSync("tar", ["x", "-C", folder], { input: archive });
  for (const path of ["", ...workspaces].map((each) => join(each, "node_modules")))
    if (existsSync(join(checkout, path))) symlinkSync(join(checkout, path), join(folder, path));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
