// The npm package that the image was built from, as npm installs it.
import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { startProgram, type Program } from "../support/program.ts";
import type { Image } from "./containerfile.ts";

/** Beside the packages that it depends on. Returns the path of its command. */
export function installPackage(image: Image, isIncluded = (_name: string) => true): string {
  const elsewhere = mkdtempSync(join(tmpdir(), "switchboard-elsewhere-"));
  onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
  const own = join(elsewhere, "node_modules/switchboard");
  mkdirSync(own, { recursive: true });
  const [tarball = ""] = globSync(join(image.stages.get("build") ?? "", "build/dist/switchboard-*.tgz"));
  execFileSync("tar", ["xzf", tarball, "-C", own, "--strip-components=1"]);
  const modules = join(image.root, "app/node_modules");
  for (const name of readdirSync(modules).filter(isIncluded)) {
    symlinkSync(join(modules, name), join(elsewhere, "node_modules", name));
  }
  return join(own, "bin/switchboard.js");
}

/** Starts the gateway of an installed package with DOCS=on, as bin/start.js does. Says when the build beside it is over. */
export function startWithDocs(file: string): Program {
  const start = `
    import { build } from "./bin/prepareStart.js";
    const ended = import("./src/main.js");
    await build();
    process.stdout.write(JSON.stringify({ msg: "the build is over" }) + "\\n");
    await ended;`;
  const root = join(dirname(file), "..");
  const settings = { PORT: "0", SANDBOX_PORT: "0", DATABASE_URL: `file:${join(root, "calls.db")}`, DOCS: "on" };
  return startProgram(["--input-type=module", "--eval", start], settings, root);
}
