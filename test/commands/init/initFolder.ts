// A folder that `switchboard init` fills.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnvFile } from "../../../src/config/envFile.ts";
import { startProgram, type Environment } from "../../support/program.ts";
import { CLI, TIME_ZONE, TOKEN } from "../../support/sandbox.ts";

export const SERVICE = ["--service", "https://calls.example", "--time-zone", TIME_ZONE];
export const WITH_TOKEN = { UPSTREAM_TOKEN: TOKEN };

/** Runs `switchboard init` in a folder. */
export async function init(folder: string, args: readonly string[], env: Environment = {}) {
  await using program = startProgram([CLI, "init", ...args], env, folder);
  return { code: await program.exited, out: program.output.join("\n"), stderr: program.stderr() };
}

export const textIn = (folder: string, path: string) => readFileSync(join(folder, path), "utf8");
export const settingsIn = (folder: string, path = ".env") => parseEnvFile(textIn(folder, path), path);
