// `node client/build/packClient.js`: packs the client with its types into client/packed/client.tgz, as npm installs it and as the gateway
// serves it. With --if-needed: only if its sources changed since. Nothing but this folder is changed.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { putInPlace } from "../../bin/builtFiles.js";
import { digestOfClient, isPacked, PACKED } from "./clientSources.js";

if (process.argv.includes("--if-needed") && isPacked()) process.exit();
const CLIENT = fileURLToPath(new URL("..", import.meta.url));
const ROOT = join(CLIENT, "..");
const fresh = `${PACKED}-${process.pid}`;
const staged = join(fresh, "package");
const digest = digestOfClient();
const run = (program, ...args) =>
  execFileSync(program, args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

try {
  mkdirSync(staged, { recursive: true });
  const compiler = join(ROOT, "node_modules/.bin/tsc");
  run(process.execPath, compiler, "-p", "client/tsconfig.json", "--outDir", join(staged, "dist"));
  cpSync(join(CLIENT, "README.md"), join(staged, "README.md"));
  writeFileSync(join(staged, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
  const [{ filename }] = JSON.parse(npm("pack", staged, "--ignore-scripts", "--json", "--pack-destination", fresh));
  renameSync(join(fresh, filename), join(fresh, "client.tgz"));
  rmSync(staged, { recursive: true });
  putInPlace(fresh, PACKED, { digest, isBuilt: isPacked });
} finally {
  rmSync(fresh, { recursive: true, force: true });
}

/** Without what only the repository needs. There, `private` keeps anybody from publishing it by mistake. */
function manifest() {
  const {
    scripts: _,
    devDependencies: __,
    private: ___,
    ...own
  } = JSON.parse(readFileSync(join(CLIENT, "package.json"), "utf8"));
  return own;
}

/** The npm that runs this, or the one on the PATH. */
function npm(...args) {
  const cli = process.env.npm_execpath;
  return cli?.endsWith("npm-cli.js") ? run(process.execPath, cli, ...args) : run("npm", ...args);
}
