import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Prepares a process as `npm start` does, and prints where its threads keep compiled code. */
const PROGRAM = `
  import "./bin/prepareStart.js";
  import { Worker } from "node:worker_threads";
  new Worker('import { getCompileCacheDir as d } from "node:module"; console.log(d())', { eval: true });
`;

it.each([
  ["is not set", {}],
  ["is empty", { NODE_COMPILE_CACHE: "" }],
])("keeps the compiled code of the database's thread where NODE_COMPILE_CACHE %s", async (_, settings) => {
  const { PATH = "" } = process.env;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", PROGRAM], {
    cwd: ROOT,
    env: { PATH, CONSOLE: "off", ...settings },
  });

  expect(stdout).toContain("node_modules/.cache/compiled");
});

it.each([
  ["\uFEFFon \r\n", true],
  ["", false],
])("builds the documentation where the gateway reads DOCS=%j as on", async (DOCS, isOn) => {
  const program = `import { isDocsOn } from "./bin/prepareStart.js"; console.log(await isDocsOn());`;
  const { PATH = "" } = process.env;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: ROOT,
    env: { PATH, DOCS },
  });
  expect(stdout.trim()).toBe(String(isOn));
});

it.each([
  ["\uFEFFoff \r\n", true],
  ["on", false],
])("leaves the console unbuilt where the gateway reads CONSOLE=%j as off", async (CONSOLE, isOff) => {
  const program = `import { isConsoleOff } from "./bin/prepareStart.js"; console.log(await isConsoleOff());`;
  const { PATH = "" } = process.env;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: ROOT,
    env: { PATH, CONSOLE },
  });
  expect(stdout.trim()).toBe(String(isOff));
});
