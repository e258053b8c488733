// The shell commands of docs/runbook.md, run as they stand there.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Environment } from "../support/program.ts";
import { onSameClock } from "../support/sameClock.ts";
import { ROOT, textAt } from "../house/sources.ts";

/**
 * The blocks, without the one that sets the variables. psql is tested with a database, in test/store/postgres/, and what writes a file
 * in a folder of its own, in monitoring.test.ts.
 */
export const runbookCommands = [...textAt("docs/runbook.md").matchAll(/```sh\n(.*?)\n```/gs)]
  .map(([, block = ""]) => block)
  .filter((block) => !/^(export |psql |RUNBOOKS=)/.test(block));

/** `npx --no-install switchboard` is this repository's command line. A command that fails, alone or in a pipe, ends the block. */
const PRELUDE = `set -euo pipefail\nnpx() { shift 2; "${process.execPath}" src/cli.ts "$@"; }\n`;

export async function runInShell(block: string, env: Environment): Promise<{ code: number | null; output: string }> {
  const shell = spawn("bash", ["-c", PRELUDE + block], {
    cwd: ROOT,
    env: onSameClock({ PATH: process.env["PATH"] ?? "", ...env }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(shell, "close") as Promise<[number | null]>;
  const [output, errors] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
  const [code] = await exited;
  return { code, output: output + errors };
}
