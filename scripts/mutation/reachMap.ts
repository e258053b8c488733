// Finds which test files run which functions of the sources: runs the whole suite over instrumented sources, and caches the result
// until sources or tests change.
import { createHash } from "node:crypto";
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instrument } from "./instrument.ts";
import { createWorkingCopy, SOURCES } from "./workingCopy.ts";

export interface ReachMap {
  /** Function (`file#number`) → test files that run it. */
  testsOf: Record<string, string[]>;
  /** Test files that fail without a mutation, or only because of the instrumentation: they notice nothing. */
  unusable: string[];
}

const SUITE_SECONDS = 3600;

export async function readReachMap(repository: string, cacheFolder: string): Promise<ReachMap> {
  mkdirSync(cacheFolder, { recursive: true });
  const cacheFile = join(cacheFolder, `reach-${hashOf(repository)}.json`);
  try {
    return JSON.parse(readFileSync(cacheFile, "utf8")) as ReachMap;
  } catch {
    const map = await recordReachMap(repository);
    writeFileSync(cacheFile, JSON.stringify(map));
    return map;
  }
}

async function recordReachMap(repository: string): Promise<ReachMap> {
  using copy = createWorkingCopy(repository);
  const reachedFolder = mkdtempSync(join(tmpdir(), "reached-"));
  const recorder = join(copy.folder, "scripts/mutation/reached.js");
  for (const file of globSync(SOURCES, { cwd: copy.folder }))
    copy.write(file, instrument(file, copy.read(file), recorder));
  const config = "vitest.reached.config.ts";
  copy.write(
    config,
    // Each file in a process of its own: a module that is loaded already would not show which functions it runs when it loads.
    `import config from "./vitest.config.ts";
const { projects, ...test } = config.test;
const include = ["test/**/*.test.ts"];
export default { ...config, test: { ...test, include, setupFiles: ["./scripts/mutation/reachedSetup.js"] } };
`,
  );
  const env = { REACHED_FOLDER: reachedFolder };
  const run = await copy.runTests([], { seconds: SUITE_SECONDS, bail: false, config, env });
  if (run.outcome === "slow") throw new Error(`The suite took more than ${SUITE_SECONDS} seconds.`);
  const testsOf: Record<string, string[]> = {};
  for (const name of readdirSync(reachedFolder)) {
    const [testPath = "", ...functions] = readFileSync(join(reachedFolder, name), "utf8").trim().split("\n");
    const test = testPath.slice(copy.folder.length + 1);
    for (const reached of new Set(functions)) (testsOf[reached] ??= []).push(test);
  }
  rmSync(reachedFolder, { recursive: true });
  return { testsOf, unusable: run.failedFiles };
}

function hashOf(repository: string): string {
  const hash = createHash("sha256");
  for (const file of globSync([...SOURCES, "test/**/*.ts"], { cwd: repository }).sort())
    hash.update(`${file}\n`).update(readFileSync(join(repository, file)));
  return hash.digest("hex").slice(0, 16);
}
