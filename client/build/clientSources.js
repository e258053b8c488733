// What the packed client was built from. Plain JavaScript, as bin/start.js is, which runs this at each start.
import { fileURLToPath } from "node:url";
import { digestOf, ensureBuilt, isBuiltIn } from "../../bin/builtFiles.js";

/** Holds client.tgz. */
export const PACKED = fileURLToPath(new URL("../packed", import.meta.url));
const SOURCES = ["client/src", "client/build", "client/package.json", "client/README.md", "client/tsconfig.json"];
const HINT = "The gateway runs without it, and answers 404 for /client.tgz.";

export const digestOfClient = () => digestOf(SOURCES);

/** Whether the packed client fits its sources. A package has it without them. */
export const isPacked = () => isBuiltIn(PACKED, SOURCES);

/** Resolves when it is up to date, or when it could not be packed and this was said. Never rejects. */
export function ensureClient() {
  const build = fileURLToPath(new URL("packClient.js", import.meta.url));
  return ensureBuilt({ isBuilt: isPacked, build, name: "The client's package", hint: HINT });
}
