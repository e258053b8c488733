// What `npm start` runs: reads the environment, starts the gateway, stops it on a signal.
import { exitWith } from "./commands/exit.ts";
import { start } from "./commands/start.ts";

await exitWith(start(process.env));
