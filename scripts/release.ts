// `npm run release -- 1.0.0`: everything that a release needs but publishing it. It sets the version, dates the changelog and renews the
// contract. Then it checks, upgrades databases of earlier versions, and builds the tarballs with checksums.
//
// With --dry-run all of it happens in a copy of the last commit, and nothing changes. With --screenshots the pictures are taken anew. With
// --short the check, the upgrades and the tarballs are left out.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { publishedNames } from "./release/publishedNames.ts";
import {
  isNewer,
  VERSION,
  withLockVersion,
  withManifestVersion,
  withNamedVersion,
  withRelease,
  type VersionChange,
} from "./release/releaseFiles.ts";
import { copyOf, git, inPlace } from "./release/releaseFolder.ts";

const CHECKOUT = fileURLToPath(new URL("..", import.meta.url));
/** They name the version beside the product. */
const NAMING = ["README.md", "docs/**/*.md", "client/README.md", "examples/*/README.md", "ops/**/*.{yml,yaml,md}"];
/** The client's made-up answers name it, too. */
const MADE_UP = "client/src/testing/factories/values.ts";
/** Databases that earlier versions have filled, and gateways of both versions beside each other. */
const UPGRADES = ["test/store/migrations", "test/durability/rolling.test.ts"];

const say = (text: string) => void process.stdout.write(`${text}\n`);
/** A signal ends the program that runs, and then this one, which still removes its copy. */
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

try {
  release();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

function release(): void {
  const { version, dryRun, isShort, takesPictures } = readLine();
  const manifest = JSON.parse(readFileSync(join(CHECKOUT, "package.json"), "utf8")) as Manifest;
  const manifests = manifest.workspaces.map((each) => `${each}/package.json`);
  const workspaces = globSync(manifests, { cwd: CHECKOUT })
    .map((path) => dirname(path))
    .toSorted();
  refuseUnready(manifest.version, version);
  using place = dryRun ? copyOf(CHECKOUT, workspaces) : inPlace(CHECKOUT);
  const { folder } = place;
  const run = (title: string, program: string, ...args: string[]) => runIn(folder, title, [program, ...args]);

  const changed = setVersion(folder, workspaces, { from: manifest.version, to: version });
  run("contract", "node", "scripts/contract.ts", "--write");
  run("reference", "node", "scripts/reference.ts", "--write");
  if (takesPictures) run("screenshots", "node", "scripts/screenshots.ts");
  if (!isShort) {
    run("check", "npm", "run", "-s", "check");
    run("upgrades", "npx", "--no-install", "vitest", "run", ...UPGRADES);
    run("package", "npm", "run", "-s", "package");
  }
  say(`\nChanged for ${version}: ${[...changed, "contract/", "docs/reference/"].join(", ")}`);
  if (!isShort) say(`\nIn ${dryRun ? "the copy, which is removed" : "dist/"}:\n${checksums(folder, version)}`);
  say(`\n${stepsOfPerson(version, dryRun)}`);
}

interface Manifest {
  name: string;
  version: string;
  workspaces: string[];
}

function readLine() {
  const options = {
    "dry-run": { type: "boolean", default: false },
    short: { type: "boolean", default: false },
    screenshots: { type: "boolean", default: false },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [version = "", ...others] = positionals;
  if (!VERSION.test(version) || others.length > 0)
    throw new Error(
      "Usage: npm run release -- VERSION [--dry-run] [--short] [--screenshots]; VERSION is such as 1.0.0.",
    );
  return { version, dryRun: values["dry-run"], isShort: values.short, takesPictures: values.screenshots };
}

/** Throws before anything changes. */
function refuseUnready(from: string, to: string): void {
  if (!isNewer(from, to)) throw new Error(`The version is ${from} already: ${to} is not after it.`);
  const dirty = git(CHECKOUT, "status", "--porcelain");
  if (dirty !== "") throw new Error(`Commit or remove what has changed first:\n${dirty.trimEnd()}`);
  if (git(CHECKOUT, "tag", "--list", `v${to}`) !== "") throw new Error(`The tag v${to} is there already.`);
}

/** Returns the files that changed. */
function setVersion(
  folder: string,
  workspaces: readonly string[],
  { from, to }: Omit<VersionChange, "names">,
): string[] {
  const manifests = ["", ...workspaces].map((each) => join(each, "package.json"));
  const names = manifests.map((path) => (JSON.parse(readFileSync(join(folder, path), "utf8")) as Manifest).name);
  const change = { from, to, names };
  const today = new Date().toISOString().slice(0, "2026-11-27".length);
  const changes: [paths: readonly string[], rewrite: (text: string) => string][] = [
    [manifests, (text) => withManifestVersion(text, change)],
    [["package-lock.json"], (text) => withLockVersion(text, change)],
    [["CHANGELOG.md"], (text) => withRelease(text, to, today)],
    [
      globSync(NAMING, { cwd: folder, exclude: ["**/node_modules/**"] }).toSorted(),
      (text) => withNamedVersion(text, change),
    ],
    [[MADE_UP], (text) => text.replace(`version: "${from}"`, `version: "${to}"`)],
  ];
  return changes.flatMap(([paths, rewrite]) =>
    paths.filter((path) => {
      const before = readFileSync(join(folder, path), "utf8");
      const after = rewrite(before);
      if (after !== before) writeFileSync(join(folder, path), after);
      return after !== before;
    }),
  );
}

function runIn(folder: string, title: string, [program = "", ...args]: string[]): void {
  const startedAt = performance.now();
  say(`${title} …`);
  try {
    const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
    execFileSync(program === "node" ? process.execPath : program, args, {
      cwd: folder,
      stdio,
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    const undo = folder === CHECKOUT ? "\nThe version is set in the checkout: `git restore .` takes it back." : "";
    throw new Error(`${`${stdout}${stderr}`.slice(-10_000).trimEnd()}\n${title} failed.${undo}`, { cause: error });
  }
  say(`${title} passed in ${Math.round((performance.now() - startedAt) / 1000)} s`);
}

/** Puts the SBOM beside the tarballs, and writes SHA256SUMS of them. */
function checksums(folder: string, version: string): string {
  const dist = join(folder, "dist");
  copyFileSync(join(dist, "package/sbom.cdx.json"), join(dist, `switchboard-${version}.cdx.json`));
  const files = readdirSync(dist).filter((name) => name.includes(version) && statSync(join(dist, name)).isFile());
  const digestOf = (name: string) =>
    createHash("sha256")
      .update(readFileSync(join(dist, name)))
      .digest("hex");
  const sums = files
    .toSorted()
    .map((name) => `${digestOf(name)}  ${name}\n`)
    .join("");
  writeFileSync(join(dist, "SHA256SUMS"), sums);
  return sums.trimEnd();
}

function stepsOfPerson(version: string, dryRun: boolean): string {
  const image = `REGISTRY/switchboard:${version}`;
  const names = Object.entries(publishedNames).map(([name, published]) => `  ${name} as ${published}`);
  return [
    dryRun ? "Nothing has changed here. After the same without --dry-run, a person does:" : "Now a person does:",
    `  git diff                                   # read it`,
    `  git commit -am "Release ${version}" && git tag -s v${version} -m "Switchboard ${version}" && git push --follow-tags`,
    `  node scripts/keepVersion.ts v${version}        # so that the next version is tested against it`,
    `  docker buildx build --platform linux/amd64,linux/arm64 -f Containerfile -t ${image} --push .`,
    `  and gives the files of dist/ with SHA256SUMS to whom they are for.`,
    "To publish the packages, choose a licence and claim the scope first (scripts/release/publishedNames.ts):",
    ...names,
  ].join("\n");
}
