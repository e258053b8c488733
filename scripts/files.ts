// `npm run check:files`: refuses repeated base names in src/, apart from a type's pair in schema/ and resolvers/, and folders
// of more than 24 files. Argument: the folder to check (default: src).
import { globSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const MAX_FILES = 24;
/** These hold one file for each type of the graph. */
const PAIRED = new Set(["schema", "resolvers"]);

const root = process.argv[2] ?? "src";
const paths = globSync("**/*.ts", { cwd: root }).sort();

const repeated = [...Map.groupBy(paths, (path) => basename(path)).values()]
  .filter((same) => same.length > 1 && !isPair(same) && !same.every(isEntryPoint))
  .map((same) => `the base name is not unique: ${same.map((path) => join(root, path)).join(", ")}`);
const large = [...Map.groupBy(paths, (path) => dirname(path))]
  .filter(([folder, files]) => files.length > MAX_FILES && !PAIRED.has(folder))
  .map(([folder, files]) => `${join(root, folder)} holds ${files.length} files, at most ${MAX_FILES}`);

for (const fault of [...repeated, ...large]) process.stderr.write(`${fault}\n`);
if (repeated.length + large.length > 0) process.exitCode = 1;

/** Each subpath of the client has its own. */
function isEntryPoint(path: string): boolean {
  return basename(path) === "index.ts";
}

function isPair(same: readonly string[]): boolean {
  return same.length === 2 && same.every((path) => PAIRED.has(dirname(path)));
}
