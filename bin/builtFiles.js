// What is built from the sources of a checkout beside a gateway that starts: whether it fits them, and its build if it does not. Plain
// JavaScript, as bin/start.js is, which runs this at each start.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** In the folder of what was built: the digest of the sources. */
const DIGEST_FILE = "sources.txt";

const byCodeUnit = (a, b) => (a < b ? -1 : 1);

/** A digest of every file of some folders and files of the repository. */
export function digestOf(sources) {
  const hash = createHash("sha256");
  for (const source of sources) {
    const path = join(ROOT, source);
    const files = statSync(path).isDirectory()
      ? readdirSync(path, { encoding: "utf8", recursive: true }).toSorted(byCodeUnit)
      : [""];
    for (const file of files) {
      const each = join(path, file);
      if (statSync(each).isFile()) hash.update(`${source}/${file}\n`).update(readFileSync(each));
    }
  }
  return hash.digest("hex");
}

/** Whether what is in `folder` fits its sources. A package has what was built without them: `sources[0]` is not there. */
export function isBuiltIn(folder, sources) {
  if (!existsSync(join(ROOT, sources[0]))) return existsSync(join(folder, DIGEST_FILE));
  try {
    return readFileSync(join(folder, DIGEST_FILE), "utf8") === digestOf(sources);
  } catch {
    return false;
  }
}

/**
 * Puts a new folder in the place of `folder`, at once, with the digest of what it was built from. Another process may build at the same
 * time.
 */
export function putInPlace(fresh, folder, { digest, isBuilt }) {
  const old = `${fresh}-old`;
  writeFileSync(join(fresh, DIGEST_FILE), digest);
  try {
    renameSync(folder, old);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  try {
    renameSync(fresh, folder);
  } catch (error) {
    if (!isBuilt()) throw error;
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}

/** Resolves when it is up to date, or when it could not be built and this was said. Never rejects. */
export async function ensureBuilt({ isBuilt, build, name, hint }) {
  const report = (reason) => void process.stderr.write(`  ${name} could not be built: ${reason}\n  ${hint}\n\n`);
  try {
    if (isBuilt()) return;
  } catch (error) {
    return report(error.message);
  }
  const child = spawn(process.execPath, [build], { stdio: ["ignore", "ignore", "pipe"], env: environmentOfBuild() });
  let said = "";
  child.stderr.on("data", (text) => {
    said = (said + text).slice(-20_000);
  });
  // A gateway that stops does not wait for it.
  child.unref();
  child.stderr.unref();
  await new Promise((resolve) => {
    child.on("error", (error) => resolve(report(error.message)));
    child.on("close", (code) => resolve(code === 0 ? undefined : report(reasonOf(said))));
  });
}

/** A build needs no setting of the gateway, and none of its secrets. */
function environmentOfBuild() {
  const needed =
    /^(PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|npm_\w+|NODE_\w+|LD_PRELOAD|FAKETIME\w*|https?_proxy|no_proxy|SystemRoot|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => needed.test(name)));
}

/** The line of a report by Node or the bundler that says what happened. The bundler's begins with a code. */
function reasonOf(said) {
  const text = stripVTControlCharacters(said);
  if (/ERR_MODULE_NOT_FOUND|Cannot find (package|module)/.test(text))
    return "its build needs the development dependencies, which are not installed.";
  return (
    /^\[[\w:-]+\].*$/m.exec(text)?.[0] ??
    /^\w*Error.*$/m.exec(text)?.[0] ??
    text.trim().split("\n").at(-1) ??
    "unknown."
  );
}
