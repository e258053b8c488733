// The folder of an app that follows docs/frontends/: its files, the printed graph, and this repository's packages.
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../house/sources.ts";
import { temporaryDirectory } from "../support/gateway.ts";

const run = promisify(execFile);

export interface GuideApp extends AsyncDisposable {
  path(name: string): string;
  read(name: string): Promise<string>;
  /** Copies a file of this repository. */
  copy(from: string, to: string): Promise<void>;
  load<Module>(name: string): Promise<Module>;
  /** Runs a command of an installed package. Rejects with what it printed if it fails. */
  run(command: string, ...args: string[]): Promise<void>;
  /** The faults that TypeScript finds in src/. */
  typeFaults(): Promise<string>;
}

const tsconfig = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: "esnext",
    module: "esnext",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    types: [],
    paths: { "switchboard-client": [join(ROOT, "client/src/index.ts")] },
  },
  include: ["src"],
};

/** `files`: name → text. */
export async function createGuideApp(files: Record<string, string>): Promise<GuideApp> {
  const folder = await temporaryDirectory();
  const path = (name: string) => join(folder.path, name);
  await symlink(join(ROOT, "node_modules"), path("node_modules"));
  const { stdout } = await run(process.execPath, [join(ROOT, "bin/switchboard.js"), "schema"], { cwd: ROOT });
  const all = { "schema.graphql": stdout, "tsconfig.json": JSON.stringify(tsconfig), ...files };
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), text);
  }
  return {
    path,
    read: (name) => readFile(path(name), "utf8"),
    copy: (from, to) => cp(join(ROOT, from), path(to)),
    load: <Module>(name: string) => import(/* @vite-ignore */ path(name)) as Promise<Module>,
    async run(command, ...args) {
      await run(join(ROOT, "node_modules/.bin", command), args, { cwd: folder.path });
    },
    typeFaults: () =>
      run("tsc", ["-p", folder.path]).then(
        () => "",
        ({ stdout }: { stdout: string }) => stdout,
      ),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
