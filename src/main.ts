// The entry point of `npm start`: starts the gateway, and stops it on a signal.
import { exitWith } from "./commands/output.ts";
import { startCommand } from "./commands/startCommand.ts";
import { exitCodes } from "./util/start/exitCodes.ts";

/** Refuses options: they would have no effect, and a user who meant them as settings would not notice. */
function refuse(): number {
  process.stderr.write("npm start takes no options: settings are environment variables, see docs/configuration.md.\n");
  return exitCodes.usage;
}

await exitWith(process.argv.length > 2 ? refuse() : startCommand(process.env));
