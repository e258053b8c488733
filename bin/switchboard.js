#!/usr/bin/env node
// Runs the command line under the Node that this package brings, whatever Node called it: the sources are TypeScript.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const own = fileURLToPath(new URL("../node_modules/node/bin/node", import.meta.url));
const cli = fileURLToPath(new URL("../src/cli.ts", import.meta.url));
const child = spawn(existsSync(own) ? own : process.execPath, [cli, ...process.argv.slice(2)], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
