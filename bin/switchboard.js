#!/usr/bin/env node
// `switchboard <command>`. It runs under the Node that the package `node` brings, whichever Node called it.
import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const MIN_MAJOR = 26;
/** As `npm start` has them. */
const NODE_OPTIONS = ["--max-semi-space-size=64", "--no-allocation-site-pretenuring"];

const args = process.argv.slice(2);
const own = findOwnNode();
const hasOptions = NODE_OPTIONS.every((option) => process.execArgv.includes(option));

if (own && (own !== process.execPath || !hasOptions)) runUnder(own);
else if (Number(process.versions.node.split(".")[0]) < MIN_MAJOR) {
  process.stderr.write(
    `Switchboard needs Node ${MIN_MAJOR}, and this is ${process.version}. The package "node" brings it, and its install script did ` +
      "not run: allow it (npm rebuild node), or start this file with a newer Node.\n",
  );
  process.exitCode = 1;
} else {
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

function runUnder(node) {
  const child = spawn(node, [...NODE_OPTIONS, fileURLToPath(import.meta.url), ...args], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
