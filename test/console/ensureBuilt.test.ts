// What npm start does for the console: it builds it where its sources changed, and says why where it cannot.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";

const BUILD = fileURLToPath(new URL("../../console/build", import.meta.url));
const BIN = fileURLToPath(new URL("../../bin", import.meta.url));
/** The timer stands for the gateway, which runs on. */
const RUN = `const gateway = setInterval(() => {}, 1000);
await (await import("./console/build/ensureConsole.js")).ensureConsole();
clearInterval(gateway);`;
const DIGEST = `process.stderr.write((await import("./console/build/sources.js")).digestOfSources())`;

/** A tree with the build's own files, some sources, and no installed packages. */
async function openTree() {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory[Symbol.asyncDispose]());
  const root = directory.path;
  cpSync(BUILD, join(root, "console/build"), { recursive: true });
  cpSync(BIN, join(root, "bin"), { recursive: true });
  for (const folder of ["console/src", "console/dist", "client/src", "src/format"])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of ["package.json", "vite.config.ts", "index.html", "src/main.tsx"])
    writeFileSync(join(root, "console", file), `{ "type": "module" }`);
  async function run(script: string): Promise<string> {
    const program = startProgram(["--input-type=module", "-e", script], {}, root);
    expect(await program.exited).toBe(0);
    return program.stderr();
  }
  return { root, run };
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
