// npm as users run it: the program that is on the PATH.
import { existsSync, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The file that Node runs as npm. */
export function npmCli(): string {
  const inPath = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "npm"));
  const found = [process.env["npm_execpath"] ?? "", ...inPath].find((path) => path !== "" && existsSync(path));
  if (!found) throw new Error("npm is not on the PATH");
  return realpathSync(found);
}
