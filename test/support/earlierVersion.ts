// Earlier versions of the gateway. Their sources are kept in earlierVersions/, one archive for each version of the schema, so that
// a clone without the history has them; scripts/keepVersion.ts writes them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { schemaVersions } from "../../src/store/migrations/schemaVersions.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = new URL("earlierVersions/", import.meta.url);
/** The gateway alone: a version that runs in a test has a service. */
const PATHS = ["src", "package.json"];

export interface EarlierVersion extends Disposable {
  /** Its entry point, for `spawnGateway`. */
  main: string;
  folder: string;
}

/** The versions of the schema whose sources are kept, the oldest first. */
export const keptVersions = (): number[] =>
  readdirSync(FOLDER)
    .map((name) => Number.parseInt(name, 10))
    .toSorted((a, b) => a - b);

/** The newest kept version with a schema before this one's. Throws if none is kept. */
export function versionBefore(): number {
  const version = keptVersions().findLast((each) => each < schemaVersions.length);
  if (version === undefined)
    throw new Error(`${fileURLToPath(FOLDER)} has no version before schema version ${schemaVersions.length}.`);
  return version;
}

/** Unpacks the sources of a kept version into a new folder, which is deleted when it is disposed of. */
export function unpackVersion(version: number): EarlierVersion {
  return unpack(brotliDecompressSync(readFileSync(fileOf(version))));
}

/** The same for a commit of the history. */
export function unpackCommit(commit: string): EarlierVersion {
  return unpack(archiveOf(commit));
}

/** Keeps the sources of a commit as those of a version of the schema, and the kept version before it. */
export function keepVersion(version: number, commit: string): void {
  const archive = archiveOf(commit);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: archive.length,
  };
  writeFileSync(fileOf(version), brotliCompressSync(archive, { params }));
  for (const old of keptVersions().slice(0, -2)) rmSync(fileOf(old));
}

const fileOf = (version: number) => new URL(`${version}.tar.br`, FOLDER);

function archiveOf(commit: string): Buffer {
  return execFileSync("git", ["archive", commit, "--", ...PATHS], { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 });
}

function unpack(archive: Buffer): EarlierVersion {
  const folder = mkdtempSync(join(tmpdir(), "switchboard-earlier-"));
  execFileSync("tar", ["x", "-C", folder], { input: archive });
  if (hasItsPackages(folder)) symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  else {
    const options = ["--omit=dev", "--workspaces=false", "--ignore-scripts", "--no-package-lock"];
    execFileSync("npm", ["install", ...options], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  }
  return {
    main: join(folder, "src/main.ts"),
    folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Whether this version has all packages of the one in the folder, in the same versions. */
function hasItsPackages(folder: string): boolean {
  const packagesIn = (path: string) =>
    (JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as { dependencies: Record<string, string> })
      .dependencies;
  const own = packagesIn(ROOT);
  return Object.entries(packagesIn(folder)).every(([name, version]) => own[name] === version);
}
