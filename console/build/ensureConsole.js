// Builds the console beside a gateway that starts, if its sources are newer. The gateway works without it.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isBuilt } from "./sources.js";

const BUILD = fileURLToPath(new URL("buildConsole.js", import.meta.url));
const HINT =
  "The gateway runs without it, or with the one that was built before. CONSOLE=off switches the console off.";

/** Resolves when it is up to date, or when it could not be built and this was said. Never rejects. */
export async function ensureConsole() {
  try {
    if (isBuilt()) return;
  } catch (error) {
    return report(error.message);
  }
  const child = spawn(process.execPath, [BUILD], { stdio: ["ignore", "ignore", "pipe"] });
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

/** The line of Node's report that says what happened. */
function reasonOf(text) {
  if (/ERR_MODULE_NOT_FOUND|Cannot find (package|module)/.test(text))
    return "its build needs the development dependencies, which are not installed.";
  return /^\w*Error.*$/m.exec(text)?.[0] ?? text.trim().split("\n").at(-1) ?? "unknown.";
}

function report(reason) {
  process.stderr.write(`  The console could not be built: ${reason}\n  ${HINT}\n\n`);
}
