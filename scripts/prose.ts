// `npm run check:prose`: refuses long sentences, banned openers, and test titles that continue others. Arguments: the folders
// or files to check (default: all sources).
import { globSync, readFileSync, statSync } from "node:fs";
import { faultsOf } from "./prose/faults.ts";
import { findTexts } from "./prose/texts.ts";

const FOLDERS = [
  "src",
  "sandbox/src",
  "client/src",
  "console/src",
  "examples/recipes",
  "test",
  "bench",
  "scripts",
  "site/build",
  "site/src",
];
const GENERATED = ["test/generated", "client/src/generated", "console/src/gql"];

const given = process.argv.slice(2);
const paths = (given.length > 0 ? given : FOLDERS)
  .flatMap((path) => (statSync(path).isDirectory() ? globSync(`${path}/**/*.{ts,tsx}`) : [path]))
  .filter((path) => !GENERATED.some((folder) => path.startsWith(folder)) && !path.includes("node_modules"))
  .sort();
const faults = paths.flatMap((path) =>
  findTexts(readFileSync(path, "utf8"), path.endsWith("x")).flatMap((text) =>
    faultsOf(text).map((fault) => `${path}:${text.line}  ${fault}`),
  ),
);
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) {
  process.stderr.write(`${faults.length} faults of prose in ${paths.length} files.\n`);
  process.exitCode = 1;
}
