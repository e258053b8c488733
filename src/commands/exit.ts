// The end of a command: its exit code, or what it failed of in a few plain lines.
import { ConfigError, EXIT_CONFIG } from "../config/config.ts";

/** Ends the process with the command's exit code; 78 where the configuration cannot be used, 1 for any other failure. */
export async function exitWith(command: Promise<number> | number): Promise<never> {
  const code = await Promise.resolve(command).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof ConfigError ? EXIT_CONFIG : 1;
  });
  await Promise.all([written(process.stdout), written(process.stderr)]);
  process.exit(code);
}

/** Resolves when everything written to a pipe was taken, or its reader is gone: process.exit drops what still waits. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}
