// The end of a command: its exit code, or what it failed of in a few plain lines.
import { ConfigError, EXIT_CONFIG } from "../config.ts";

/** Ends the process with the command's exit code; 78 where the configuration cannot be used, 1 for any other failure. */
export async function exitWith(command: Promise<number> | number): Promise<never> {
  try {
    process.exit(await command);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(error instanceof ConfigError ? EXIT_CONFIG : 1);
  }
}
