// The entry point of `npm start`: starts the gateway, and stops it on a signal.
import { loadEnvFile } from "./config/envFile.ts";
import { exitWith } from "./commands/output.ts";
import { exitCodes } from "./util/start/exitCodes.ts";

/** Refuses options: they would have no effect, and a user who meant them as settings would not notice. */
function refuse(): number {
  process.stderr.write(
    "npm start takes no options: settings are environment variables or stand in .env, see docs/configuration.md.\n",
  );
  return exitCodes.usage;
}

async function start(): Promise<number> {
  const envFile = loadEnvFile(process.env);
  // After it: what is built beside the start reads the variables, too (bin/prepareStart.js).
  const { startCommand } = await import("./commands/startCommand.ts");
  return startCommand(process.env, envFile);
}

await exitWith(process.argv.length > 2 ? refuse() : start());
