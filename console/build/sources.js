// What the built console was built from. Plain JavaScript, as bin/start.js is, which runs this at each start.
import { fileURLToPath } from "node:url";
import { digestOf, isBuiltIn } from "../../bin/builtFiles.js";

export const DIST = fileURLToPath(new URL("../dist", import.meta.url));
const SOURCES = [
  "console/src",
  "console/build",
  "console/index.html",
  "console/vite.config.ts",
  "console/package.json",
  "client/src",
  // The readers of phone numbers and tables.
  "src/format",
];

export const digestOfSources = () => digestOf(SOURCES);

/** Whether the built console fits its sources. A package has the built console without them. */
export const isBuilt = () => isBuiltIn(DIST, SOURCES);
