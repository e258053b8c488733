// What `npm start` runs: reads the environment, starts the gateway, stops it on a signal.
import { exitWith } from "./commands/exit.ts";
import { EXIT_USAGE } from "./commands/options.ts";
import { startCommand } from "./commands/startCommand.ts";

/** Whoever gives it options takes them for settings, and would find out late that they are none. */
function refuse(): number {
  process.stderr.write("It takes no options: settings are environment variables, see docs/configuration.md.\n");
  return EXIT_USAGE;
}

await exitWith(process.argv.length > 2 ? refuse() : startCommand(process.env));
