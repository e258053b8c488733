// `npm run check:assertions`: refuses tests without a direct assertion. Arguments: the folders or files to check (default: test).
import { globSync, readFileSync, statSync } from "node:fs";
import { findUnasserted } from "./assertions/unasserted.ts";

const given = process.argv.slice(2);
const paths = (given.length > 0 ? given : ["test"])
  .flatMap((path) => (statSync(path).isDirectory() ? globSync(`${path}/**/*.ts`) : [path]))
  .sort();
const faults = paths.flatMap((path) =>
  findUnasserted(readFileSync(path, "utf8")).map((line) => `${path}:${line}  the test asserts nothing`),
);
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
