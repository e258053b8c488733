// One shell for the commands of a page, from the first to the last: a command uses the variables of those before it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { onSameClock } from "../support/sameClock.ts";
import { until } from "../support/until.ts";

export interface PageShell extends AsyncDisposable {
  /** Resolves with what the command prints. */
  run(command: string): Promise<string>;
}

/** `prelude`: functions that take the place of programs, such as npx. */
export function openPageShell(env: Record<string, string> = {}, prelude = ""): PageShell {
  const shell = spawn("bash", ["-s"], {
    env: onSameClock({ PATH: process.env["PATH"] ?? "", ...env }),
    stdio: ["pipe", "pipe", "inherit"],
  });
  let printed = "";
  shell.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const exited = once(shell, "close");
  shell.stdin.write(prelude);
  return {
    async run(command) {
      printed = "";
      shell.stdin.write(`${command}printf '\\n== end\\n'\n`);
      await until(() => printed.endsWith("== end\n"));
      return printed.slice(0, printed.lastIndexOf("== end"));
    },
    async [Symbol.asyncDispose]() {
      shell.stdin.end();
      await exited;
    },
  };
}

/** A zone whose day does not end while a test runs, also by a clock that runs faster. */
export function zoneInDaytime(): string {
  const hourIn = (timeZone: string) =>
    Number(new Intl.DateTimeFormat("en", { timeZone, hour: "numeric", hourCycle: "h23" }).format());
  const zone = ["Asia/Shanghai", "Europe/London"].find((each) => hourIn(each) > 0 && hourIn(each) < 21);
  if (zone === undefined) throw new Error("Both zones are at night.");
  return zone;
}
