// Prints a command's results, and ends the process when all output is written. Texts from outside cannot steer the terminal.
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { exitCodes } from "../util/start/exitCodes.ts";
import { terminalText } from "../util/logging/terminalText.ts";
import { FinalError } from "../util/start/finalError.ts";

/** Prints one JSON line on standard output, and waits if the reader of the pipe is slower. */
export async function printLine(value: unknown): Promise<void> {
  if (!print(`${JSON.stringify(value)}\n`)) await once(process.stdout, "drain");
}

/** Writes to standard output. False: the reader of the pipe is slower. */
export function print(text: string): boolean {
  return process.stdout.write(terminalText(text));
}

/** What follows where standard output takes no more, as on a full disk. */
let whenLost: "fail" | "end" | "goOn" = "fail";
/** The exit code of the command, once it has ended. */
let ended: number = exitCodes.success;

/** Ends the process with 0 when the reader closes the pipe, as in `switchboard events | head`. */
export function exitWhenReaderCloses(): void {
  whenLost = "end";
}

/** From now on, output that nobody reads any more does not end the process. */
export function surviveClosedOutput(): void {
  whenLost = "goOn";
}

function onLost(error: NodeJS.ErrnoException): void {
  if (whenLost === "goOn") return;
  if (whenLost === "end" && error.code === "EPIPE") process.exit(exitCodes.success);
  if (ended !== exitCodes.success) process.exit(ended);
  notify(`The output could not be written: ${error.message}\n`);
  process.exit(exitCodes.failure);
}

/** Writes to standard error. A full disk or a closed pipe changes nothing else. */
export function notify(text: string): void {
  try {
    process.stderr.write(terminalText(text));
  } catch {
    // There is no other place to tell it.
  }
}

/** Ends the process with the command's exit code, or with that of a FinalError, or with 1. It prints the error. */
export async function exitWith(command: Promise<number> | number): Promise<never> {
  process.stdout.on("error", onLost);
  process.stderr.on("error", () => undefined);
  ended = await Promise.resolve(command).catch((error: unknown) => {
    notify(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof FinalError ? error.exitCode : exitCodes.failure;
  });
  await Promise.all([flush(process.stdout), flush(process.stderr)]);
  // A write that failed is told after it.
  await setImmediate();
  process.exit(ended);
}

/** Resolves when the pipe has taken everything, or its reader is gone. process.exit would drop the rest. */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}
