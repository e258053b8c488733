// A vitest setup file: names the file that records the functions that the current test file and its programs reach.
import childProcess from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect } from "vitest";

const { testPath } = expect.getState();
const file = join(process.env.REACHED_FOLDER, createHash("sha256").update(testPath).digest("hex"));
appendFileSync(file, `${testPath}\n`);
process.env.REACHED_FILE = file;

const { spawn } = childProcess;
childProcess.spawn = (command, ...rest) => {
  const options = rest.findLast((argument) => typeof argument === "object" && !Array.isArray(argument)) ?? {};
  const args = Array.isArray(rest[0]) ? rest[0] : [];
  return spawn(command, args, { ...options, env: { ...(options.env ?? process.env), REACHED_FILE: file } });
};
syncBuiltinESMExports();
