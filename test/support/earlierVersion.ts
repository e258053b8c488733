// Earlier versions of the gateway, from the history of this repository.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { schemaVersions } from "../../src/store/migrations/schemaVersions.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A commit for each version of the schema. Versions 3 to 5 have none: their tables changed before version 6 was finished. */
export const commits: ReadonlyMap<number, string> = new Map([
  [1, "0d30d4e0"],
  [2, "4f627e45"],
  [6, "b3373078"],
  [7, "ca7558c5"],
  [8, "1d5c2ac5"],
  [9, "7e74ab9f"],
  [10, "0178e00a"],
  [11, "ec950f5f"],
  [12, "8672012c"],
  [13, "240a6685"],
  [14, "ac5c51e6"],
  [15, "0c592eee"],
  [16, "0afc0c85"],
]);

/** The versions of which there are databases on PostgreSQL, too. Each costs the tests a second. */
export const postgresVersions: ReadonlySet<number> = new Set([1, 8, 12, 13, 14, 15, 16]);

export interface EarlierVersion extends Disposable {
  /** Its entry point, for `spawnGateway`. */
  main: string;
}

/** The commit of the newest schema version before this one. */
export function commitBefore(): string {
  const [version] = [...commits.keys()].filter((version) => version < schemaVersions.length).slice(-1);
  return commits.get(version ?? 0) ?? "";
}

/** False in a clone without the history. */
export function hasCommit(commit: string): boolean {
  return spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: ROOT, stdio: "ignore" }).status === 0;
}

/** Unpacks the sources of a commit into a new folder, which is deleted when it is disposed of. */
export function unpackVersion(commit: string): EarlierVersion {
  const folder = mkdtempSync(join(tmpdir(), "switchboard-earlier-"));
  const archive = execFileSync("git", ["archive", commit, "src", "package.json", "package-lock.json"], {
    cwd: ROOT,
    maxBuffer: 64 * 1024 * 1024,
  });
  execFileSync("tar", ["x", "-C", folder], { input: archive });
  if (hasItsPackages(folder)) symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  else {
    const options = ["--omit=dev", "--workspaces=false", "--ignore-scripts", "--no-audit", "--no-fund"];
    execFileSync("npm", ["ci", ...options], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  }
  return {
    main: join(folder, "src/main.ts"),
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
