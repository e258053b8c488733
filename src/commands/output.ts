// Prints a command's results, and ends the process when all output is written. Texts from outside cannot steer the terminal.
import { once } from "node:events";
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

/** Ends the process with 0 when the reader closes the pipe, as in `switchboard events | head`. */
export function exitWhenReaderCloses(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
}

/** Writes to standard error. A full disk or a closed pipe changes nothing else. */
export function notify(text: string): void {
  try {
    process.stderr.write(terminalText(text));
  } catch {
    // There is no other place to tell it.
  }
}

/** From now on, output that nobody reads any more does not end the process. */
export function surviveClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/** Ends the process with the command's exit code, or with that of a FinalError, or with 1. It prints the error. */
export async function exitWith(command: Promise<number> | number): Promise<never> {
  const code = await Promise.resolve(command).catch((error: unknown) => {
    notify(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof FinalError ? error.exitCode : exitCodes.failure;
  });
  await Promise.all([flush(process.stdout), flush(process.stderr)]);
  process.exit(code);
}

/** Resolves when the pipe has taken everything, or its reader is gone. process.exit would drop the rest. */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}
