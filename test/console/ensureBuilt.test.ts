// What npm start does for the console: it builds it where its sources changed, and says why where it cannot.
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The timer stands for the gateway, which runs on. */
const RUN = `const gateway = setInterval(() => {}, 1000);
await (await import("./console/build/ensureConsole.js")).ensureConsole();
clearInterval(gateway);`;
const DIGEST = `process.stderr.write((await import("./console/build/sources.js")).digestOfSources())`;

/** A tree with the build's own files, some sources, and no installed packages. */
async function openTree() {
  const root = await openFolder("tree", ["console/build", "bin"]);
  for (const folder of ["console/src", "console/dist", "client/src", "src/format"])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of ["package.json", "vite.config.ts", "index.html", "src/main.tsx"])
    writeFileSync(join(root, "console", file), `{ "type": "module" }`);
  return { root, run: (script: string) => runIn(root, script) };
}

/** A new folder of this name with copies of folders and files of the repository. */
async function openFolder(name: string, copied: readonly string[]): Promise<string> {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory[Symbol.asyncDispose]());
  const root = join(directory.path, name);
  for (const each of copied) cpSync(join(ROOT, each), join(root, each), { recursive: true });
  return root;
}

/** Returns what it printed on stderr. */
async function runIn(root: string, script: string): Promise<string> {
  const program = startProgram(["--input-type=module", "-e", script], {}, root);
  expect(await program.exited).toBe(0);
  return program.stderr();
}

it("says that the console's build needs the development dependencies, and goes on without it", async () => {
  const { run } = await openTree();
  expect(await run(RUN)).toBe(
    "  The console could not be built: its build needs the development dependencies, which are not installed.\n" +
      "  The gateway runs without it, or with the one that was built before. CONSOLE=off switches the console off.\n\n",
  );
});

it("does not build a console that fits its sources, and does when one of them changes", async () => {
  const { root, run } = await openTree();
  writeFileSync(join(root, "console/dist/sources.txt"), await run(DIGEST));
  expect(await run(RUN)).toBe("");
  writeFileSync(join(root, "console/src/main.tsx"), "{ }");
  expect(await run(RUN)).toContain("The console could not be built");
});

it("keeps the built console where another build fails", async () => {
  const { root, run } = await openTree();
  writeFileSync(join(root, "console/dist/index.html"), "built before");
  await run(RUN);
  expect(readFileSync(join(root, "console/dist/index.html"), "utf8")).toBe("built before");
});

const SOURCES = ["bin", "client/src", "console", "src", "package.json", "tsconfig.json"];

it("builds the console in a folder whose name has a $ and other odd characters", async () => {
  const root = await openFolder("p$1 q%20ü中'(q)[q]&{q},!*", SOURCES);
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  writeFileSync(join(root, "console/src/built.ts"), "");
  expect(await runIn(root, RUN)).toBe("");
  expect(existsSync(join(root, "console/dist/index.html.br"))).toBe(true);
  expect(await runIn(root, DIGEST)).toBe(readFileSync(join(root, "console/dist/sources.txt"), "utf8"));
}, 300_000);

it.each(["#", "?"])("names a %s in the path as the reason why the console cannot be built", async (odd) => {
  const root = await openFolder(`p${odd}q`, ["bin", "client/src", "console", "src/format", "package.json"]);
  writeFileSync(join(root, "console/src/built.ts"), "");
  const said = await runIn(root, RUN);
  expect(said).toContain(
    `The console could not be built: Error: the path ${join(root, "console/dist")} has a ${odd}, which Vite cannot read.`,
  );
});

it("says what the bundler found where the sources cannot be built", async () => {
  const root = await openFolder("tree", SOURCES);
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  writeFileSync(join(root, "console/src/main.tsx"), 'import "./missing.ts";');
  expect(await runIn(root, RUN)).toMatch(/The console could not be built: \[UNRESOLVED_IMPORT\].*missing\.ts/);
}, 300_000);
