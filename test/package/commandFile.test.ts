// bin/switchboard.js: which Node it runs, and that it and the server end together.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { npmCli } from "../support/npm.ts";
import { startProgram, type Program } from "../support/program.ts";
import { until } from "../support/until.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** What a Node does that cannot replace its process: Node 20, and any on Windows. */
const CANNOT_REPLACE = "--import=data:text/javascript,process.execve=undefined";
const OLD_NODE = "--import=data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.19.0'})";
const LOADER = "error while loading shared libraries: libatomic.so.1: cannot open shared object file";

/** A copy of the repository's programs, beside a Node of its own. */
function copyWith(makeNode: (folder: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), "switchboard-command-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["bin", "package.json"]) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  for (const name of ["src", "sandbox", "console"]) symlinkSync(join(ROOT, name), join(folder, name));
  mkdirSync(join(folder, "node_modules/node/bin"), { recursive: true });
  mkdirSync(join(folder, "node_modules/.bin"));
  makeNode(join(folder, "node_modules/node/bin/node"));
  symlinkSync("../node/bin/node", join(folder, "node_modules/.bin/node"));
  return folder;
}

const lacksLibrary = (file: string) => {
  writeFileSync(file, `#!/bin/sh\necho "$0: ${LOADER}" >&2\nexit 127\n`);
  chmodSync(file, 0o755);
};
const lacksLoader = (file: string) => {
  writeFileSync(file, "#!/lib/no-such-loader.so.1\n");
  chmodSync(file, 0o755);
};

const isOldNode = (file: string) => {
  writeFileSync(file, "#!/bin/sh\necho v20.19.0\n");
  chmodSync(file, 0o755);
};

async function urlOf(program: Program): Promise<string> {
  const { url } = (await program.line(({ msg }) => msg === "The sandbox listens.")) as { url: string };
  return url;
}

const isFree = (url: string) =>
  fetch(url).then(
    () => false,
    () => true,
  );

const sandbox = (args: readonly string[], options: string, folder = ROOT) =>
  startProgram(args, { SANDBOX_PORT: "0", NODE_OPTIONS: options, HOME: folder }, folder);

describe.each([
  ["that can replace its process", ""],
  ["that cannot replace its process", CANNOT_REPLACE],
])("switchboard under a Node %s", (_, options) => {
  const file = join(ROOT, "bin/switchboard.js");

  it.each([
    ["SIGKILL", null, "SIGKILL"],
    ["SIGTERM", 0, null],
  ] as const)("ends with its server on %s", async (signal, code, signalCode) => {
    await using program = sandbox([file, "sandbox"], options);
    const url = await urlOf(program);
    program.process.kill(signal);
    expect(await until(() => isFree(url))).toBe(true);
    expect([await program.exited, program.process.signalCode]).toEqual([code, signalCode]);
  });

  it("ends with its server when npx is killed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "switchboard-npx-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
    symlinkSync(file, join(folder, "node_modules/.bin/switchboard"));
    const args = [npmCli(), "exec", "--offline", "--", "switchboard", "sandbox"];
    await using program = sandbox(args, options, folder);
    const url = await urlOf(program);
    program.process.kill("SIGKILL");
    expect(await until(() => isFree(url))).toBe(true);
  });
});

it("switchboard ends by the signal that ended its server", async () => {
  await using program = sandbox([join(ROOT, "bin/switchboard.js"), "sandbox"], CANNOT_REPLACE);
  await urlOf(program);
  program.process.kill("SIGUSR2");
  await program.exited;
  expect(program.process.signalCode).toBe("SIGUSR2");
});

it.each([
  ["an old Node", OLD_NODE],
  ["a Node that is new enough", ""],
])("switchboard whose packages are not installed says how to install them, under %s", async (_, options) => {
  const folder = copyWith(() => undefined);
  rmSync(join(folder, "node_modules"), { recursive: true });
  await using program = sandbox([join(folder, "bin/switchboard.js"), "start"], options, folder);
  expect(await program.exited).toBe(1);
  expect(program.stderr()).toContain("npm ci");
});

describe("where the Node of the package cannot start", () => {
  it.each([
    ["a library is missing", lacksLibrary, [LOADER, "apt-get install libatomic1"]],
    ["the C library is another", lacksLoader, ["glibc", "apk add nodejs-current"]],
  ])("switchboard under an old Node says how to mend it: %s", async (_, makeNode, words) => {
    const folder = copyWith(makeNode);
    await using program = sandbox([join(folder, "bin/switchboard.js"), "sandbox"], OLD_NODE, folder);
    expect(await program.exited).toBe(1);
    for (const word of words) expect(program.stderr()).toContain(word);
  });

  it("npm start says how to mend it, where npm runs under an old Node", async () => {
    const folder = copyWith(lacksLibrary);
    await using program = sandbox([npmCli(), "start"], OLD_NODE, folder);
    expect(await program.exited).toBe(1);
    for (const word of [LOADER, "apt-get install libatomic1"]) expect(program.stderr()).toContain(word);
  });

  it("npm start says that the install script did not run, where the Node on the PATH is an old one", async () => {
    const folder = copyWith(isOldNode);
    rmSync(join(folder, "node_modules/node/bin"), { recursive: true });
    rmSync(join(folder, "node_modules/.bin/node"));
    isOldNode(join(folder, "node_modules/.bin/node"));
    await using program = sandbox([npmCli(), "start"], OLD_NODE, folder);
    expect(await program.exited).toBe(1);
    expect(program.stderr()).toContain("npm rebuild node");
  });

  it("npm runs the server under its own Node, where that is new enough, and ends it when it is killed", async () => {
    const folder = copyWith(lacksLibrary);
    await using program = sandbox([npmCli(), "run", "sandbox"], "", folder);
    const url = await urlOf(program);
    program.process.kill("SIGKILL");
    expect(await until(() => isFree(url))).toBe(true);
  });
});
