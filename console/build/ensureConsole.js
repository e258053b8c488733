// Builds the console beside a gateway that starts, if its sources are newer. The gateway works without it.
import { fileURLToPath } from "node:url";
import { ensureBuilt } from "../../bin/builtFiles.js";
import { isBuilt } from "./sources.js";

const BUILD = fileURLToPath(new URL("buildConsole.js", import.meta.url));
const HINT =
  "The gateway runs without it, or with the one that was built before. CONSOLE=off switches the console off.";

/** Resolves when it is up to date, or when it could not be built and this was said. Never rejects. */
export const ensureConsole = () => ensureBuilt({ isBuilt, build: BUILD, name: "The console", hint: HINT });
