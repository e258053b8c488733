// A folder of the recordings: made where it is missing, and refused at the start where nothing can be kept in it.
import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { ConfigError } from "../config/configError.ts";

const { R_OK, W_OK, X_OK } = constants;

/** Throws a ConfigError that names RECORDINGS_DIR. */
export async function openFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, R_OK | W_OK | X_OK);
  } catch (error) {
    const { code = "unknown cause" } = error as NodeJS.ErrnoException;
    throw new ConfigError([`RECORDINGS_DIR cannot be written to (${code})`]);
  }
}
