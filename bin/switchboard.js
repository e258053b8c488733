#!/usr/bin/env node
// `switchboard <command>`. It runs under the Node that the package `node` brings, whichever Node called it.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const MIN_MAJOR = 26;
/** As `npm start` has them. docs/operating.md says what they do. */
const NODE_OPTIONS = [
  "--disable-sigusr1",
  "--max-semi-space-size=64",
  "--heap-growing-percent=50",
  "--no-allocation-site-pretenuring",
  "--expose-gc",
];
const PASSED_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"];

const args = process.argv.slice(2);
const own = findOwnNode();
const hasOptions = NODE_OPTIONS.every((option) => process.execArgv.includes(option));
const isNew = Number(process.versions.node.split(".")[0]) >= MIN_MAJOR;
const failure = own === process.execPath ? null : failureOf(own);

if (!isInstalled()) refuse("its packages are not installed: run npm ci in its folder");
else if (failure !== null && !isNew)
  refuse(
    `it needs Node ${MIN_MAJOR}, and this is ${process.version}. The package "node" brings it, but ${failure}; ` +
      `or start this file with Node ${MIN_MAJOR} or later`,
  );
else if (hasOptions && (own === process.execPath || failure !== null)) await runHere();
else runUnder(failure === null ? own : process.execPath);

async function runHere() {
  if (args[0] === "start") await import("./prepareStart.js");
  await import("../src/cli.ts");
}

/** Null where the install script of the package `node` did not run. */
function findOwnNode() {
  try {
    return realpathSync(createRequire(import.meta.url).resolve("node/bin/node"));
  } catch {
    return null;
  }
}

/** Why a Node cannot start, such as a library that this machine lacks; null if it can. */
function failureOf(node) {
  if (node === null) return "its install script did not run: allow it (npm rebuild node)";
  const { status, error, stderr } = spawnSync(node, ["--version"], { encoding: "utf8" });
  if (status === 0) return null;
  // The file is there, so it is its loader that is not.
  if (error?.code === "ENOENT")
    return "it needs glibc, which this system lacks: install a Node of the system (Alpine: apk add nodejs-current)";
  const reason = error?.message || stderr.trim() || `it ended with ${status}`;
  return `it cannot start (${reason}): install what is missing (libatomic.so.1: apt-get install libatomic1, dnf install libatomic)`;
}

/** npm puts the packages of a package below it or beside it. */
function isInstalled() {
  const require = createRequire(import.meta.url);
  const folders = require.resolve.paths("node") ?? [];
  const names = Object.keys(require("../package.json").dependencies);
  return names.some((name) => folders.some((folder) => existsSync(`${folder}/${name}`)));
}

function refuse(reason) {
  process.stderr.write(`Switchboard cannot start: ${reason}.\n`);
  process.exitCode = 1;
}

/** As this process, where this Node can do that: a signal, also SIGKILL, then reaches the gateway itself. */
function runUnder(node) {
  const command = [...NODE_OPTIONS, fileURLToPath(import.meta.url), ...args];
  // Windows has no such call, and Node 20 does not offer it.
  if (process.execve && process.platform !== "win32") process.execve(node, [node, ...command]);
  // The gateway stops when the process with this ID has ended (src/commands/npmWatch.ts).
  const env = { ...process.env, SWITCHBOARD_WRAPPER_PID: String(process.pid) };
  const child = spawn(node, command, { stdio: "inherit", env });
  for (const signal of PASSED_SIGNALS) process.on(signal, () => child.kill(signal));
  // Not passed on: it would end a gateway in its first moment, and a later one ignores it.
  process.on("SIGUSR1", () => undefined);
  setTimeout(closeDebugger, 100).unref();
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    // Ends as the gateway did, so that a shell shows 128 and the signal's number.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Before this process had a listener for SIGUSR1, that signal could open Node's debugger. */
async function closeDebugger() {
  const inspector = await import("node:inspector");
  if (inspector.url() !== undefined) inspector.close();
}
