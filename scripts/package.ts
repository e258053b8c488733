// `npm run package`: builds the gateway as an npm package that runs without its sources, in dist/package and, packed, in
// dist/switchboard-<version>.tgz. The client is packed beside it.
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { isPrivate } from "./package/privateFiles.ts";
import { unlinkMissing } from "./package/unlinked.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DIST = join(ROOT, "dist");
const FOLDER = join(DIST, "package");
/** Copied as they are, but for documents: see unlinked.ts. TypeScript leaves sources.js out, because sources.d.ts has its types. */
const FILES = [
  "src/schema/schema.graphql",
  "src/mcp/tools",
  "console/dist",
  "site/dist",
  "site/build/sources.js",
  "client/packed",
  "sandbox/destinations.json",
  "ops",
];
const DOCUMENTS = [
  "README.md",
  "CHANGELOG.md",
  "ARCHITECTURE.md",
  "SECURITY.md",
  "DEPENDENCIES.md",
  "client/README.md",
  "docs",
];
/** What `npm ci` needs for an image. npm packs no lock file of the first folder. */
const LOCKED = ["package.json", "package-lock.json"];
const LOCK_FOLDER = "ops/image";

interface Manifest {
  name: string;
  version: string;
  license: string;
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
run(process.execPath, join(ROOT, "site/build/buildSite.ts"));
run(process.execPath, join(ROOT, "client/build/packClient.js"), "--if-needed");
run(tool("tsc"), "-p", "scripts/package/tsconfig.json");
for (const file of [...FILES, ...DOCUMENTS])
  cpSync(join(ROOT, file), join(FOLDER, file), { recursive: true, filter: (path) => !isPrivate(path) });
mkdirSync(join(FOLDER, LOCK_FOLDER));
for (const file of LOCKED) cpSync(join(ROOT, file), join(FOLDER, LOCK_FOLDER, file));
for (const file of globSync("**/*.md", { cwd: FOLDER })) unlinkMissing(FOLDER, file);
writeFileSync(join(FOLDER, "Containerfile"), containerfile());
writeFileSync(
  join(FOLDER, "sbom.cdx.json"),
  execFileSync(process.execPath, ["scripts/sbom.ts", "--omit=dev"], { cwd: ROOT }),
);
writeFileSync(join(FOLDER, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
run("npm", "pack", FOLDER, "--pack-destination", DIST, "--silent");
copyFileSync(join(ROOT, "client/packed/client.tgz"), join(DIST, `switchboard-client-${manifest().version}.tgz`));

/** Builds the image from the package, which is built already. */
function containerfile(): string {
  const [head = "", , modules = "", image = ""] = readFileSync(join(ROOT, "Containerfile"), "utf8").split(
    /^(?=FROM )/m,
  );
  const [purpose] = head.split("\n");
  return [`${purpose}\n`, modules, image]
    .join("")
    .replace(
      "COPY package.json package-lock.json .npmrc ./",
      `COPY ${LOCKED.map((file) => `${LOCK_FOLDER}/${file}`).join(" ")} ./`,
    )
    .replace("COPY --from=build /build/dist/package /app", "COPY . /app");
}

/** Without what only the repository needs: scripts, workspaces and development dependencies. */
function manifest(): Manifest {
  const own = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;
  const { name, version, license, description, type, bin, engines, dependencies } = own;
  return { name, version, license, description, type, bin, engines, dependencies };
}
