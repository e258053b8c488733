import { execFile } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../support/gateway.ts";

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

it("builds the documentation last, and runs on without what cannot be built", async () => {
  await using directory = await temporaryDirectory();
  const root = directory.path;
  for (const name of ["bin", "src", "package.json"]) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  const add = (file: string, name: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), `export const ${name} = async () => console.log("${name}");`);
  };
  add("console/build/ensureConsole.js", "ensureConsole");
  add("client/build/clientSources.js", "ensureClient");
  const program = `import { build } from "./bin/prepareStart.js"; await build(); console.log("over");`;
  const { PATH = "" } = process.env;
  const { stdout, stderr } = await run(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: root,
    env: { PATH, DOCS: "on" },
  });
  expect(stdout.trim().split("\n")).toEqual(["ensureConsole", "ensureClient", "over"]);
  expect(stderr).toMatch(/The build beside the gateway failed: .*site/);
});
