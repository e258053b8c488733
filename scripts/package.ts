// `npm run package`: builds the gateway as an npm package that runs without its sources, in dist/package and, packed, in
// dist/switchboard-<version>.tgz.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DIST = join(ROOT, "dist");
const FOLDER = join(DIST, "package");
/** Copied as they are. */
const FILES = ["README.md", "CHANGELOG.md", "src/schema/schema.graphql", "console/dist", "ops"];

interface Manifest {
  name: string;
  version: string;
  description: string;
  type: string;
  bin: Record<string, string>;
  engines: Record<string, string>;
  dependencies: Record<string, string>;
}

const run = (file: string, ...args: string[]) =>
  execFileSync(file, args, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
const tool = (name: string) => join(ROOT, "node_modules/.bin", name);

rmSync(DIST, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
run(process.execPath, join(ROOT, "console/build/buildConsole.js"), "--if-needed");
run(tool("tsc"), "-p", "scripts/package/tsconfig.json");
for (const file of FILES) cpSync(join(ROOT, file), join(FOLDER, file), { recursive: true });
writeFileSync(join(FOLDER, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
run("npm", "pack", FOLDER, "--pack-destination", DIST, "--silent");

/** Without what only the repository needs: scripts, workspaces and development dependencies. */
function manifest(): Manifest {
  const own = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;
  const { name, version, description, type, bin, engines, dependencies } = own;
  return { name, version, description, type, bin, engines, dependencies };
}
