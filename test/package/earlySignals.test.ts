// SIGUSR1 opens Node's debugger, which anybody on the machine could use. It may come before a line of the gateway has run.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, textAt } from "../house/sources.ts";
import { temporaryDirectory } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";

const { scripts } = JSON.parse(textAt("package.json")) as { scripts: Record<string, string> };
const WRAPPER = "bin/switchboard.js sandbox";
const CANNOT_REPLACE = "--import=data:text/javascript,process.execve=undefined";
const SIGUSR1 = 1n << 9n;

/** Whether the process catches or ignores the signal by now, so that it does not end by it. One that is replaced takes it only then. */
function takesSignal(pid: number, isReplaced: boolean): boolean {
  if (isReplaced && !readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("--disable-sigusr1")) return false;
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  const masks = Array.from(status.matchAll(/^Sig(?:Ign|Cgt):\s*([\da-f]+)$/gm), ([, mask]) => BigInt(`0x${mask}`));
  return masks.some((mask) => (mask & SIGUSR1) !== 0n);
}

/** What npm runs where the system has a Node that is new enough, without the program's name. */
const commandOf = (script: string) => /exec node ([^;]*);;/.exec(scripts[script] ?? "")?.[1] ?? "";

const isFree = (url: string) =>
  fetch(url).then(
    () => false,
    () => true,
  );

describe.skipIf(!existsSync("/proc/self/status"))("SIGUSR1 in the first moment of a process opens no debugger", () => {
  it.each([
    ["npm start", commandOf("start"), ""],
    ["npm run sandbox", commandOf("sandbox"), ""],
    ["switchboard, under a Node that can replace its process", WRAPPER, ""],
    ["switchboard, under a Node that cannot", WRAPPER, CANNOT_REPLACE],
  ])("%s", async (_, command, options) => {
    await using directory = await temporaryDirectory();
    const files = { DATABASE_URL: directory.database, RECORDINGS_DIR: join(directory.path, "recordings") };
    const env = { NODE_OPTIONS: `--inspect-port=0 ${options}`, PORT: "0", SANDBOX_PORT: "0", ...files };
    await using program = startProgram(command.split(" "), env, ROOT);
    const isReplaced = command === WRAPPER && options === "";
    await until(() => takesSignal(program.process.pid ?? 0, isReplaced));
    program.process.kill("SIGUSR1");
    await program.line(({ msg }) => /listens/.test(String(msg)));
    // A process that is replaced, and one that waits for its child, may open it for a moment.
    const opened = /Debugger listening on ws:(\S+)/.exec(program.stderr())?.[1];
    expect(opened === undefined || command === WRAPPER).toBe(true);
    if (opened !== undefined) expect(await until(() => isFree(`http:${opened}`))).toBe(true);
    expect(program.process.exitCode).toBeNull();
  });
});
