import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { gatewayAt } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { buildImage, type Image } from "./containerfile.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The base image has about 25 MB, and the whole image shall have less than 250. */
const MAX_APP_MB = 220;

/** What .dockerignore leaves out. The built console saves its build where it is up to date. */
const isLeftOut = (path: string) =>
  /(^|\/)node_modules$|^(\.git|data|dist|client\/dist|examples\/\w+\/dist)$/.test(path);

let folder = "";
let image: Image;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "switchboard-context-"));
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !isLeftOut(relative(ROOT, path)) });
  image = buildImage(join(ROOT, "Containerfile"), {
    context: folder,
    replaced: {
      // The packages of the repository, which `npm ci` has installed from the same lock file.
      "npm ci": (build) => {
        for (const path of ["node_modules", "console/node_modules"]) {
          if (existsSync(join(ROOT, path))) symlinkSync(join(ROOT, path), join(build, path));
        }
      },
    },
  });
});
afterAll(() => {
  for (const path of [folder, ...image.stages.values()]) rmSync(path, { recursive: true, force: true });
});

/** The image's paths begin at its root. */
const inImage = (text: string) => text.replace(/(?<=^|:)\/(?=app\b|data\b)/, `${image.root}/`);

function startImage(command: readonly string[] = image.command) {
  const [node = "", ...args] = [...image.entrypoint, ...command].map(inImage);
  const env = Object.fromEntries(Object.entries(image.env).map(([name, value]) => [name, inImage(value)]));
  return startProgram(args, { ...env, HOST: "127.0.0.1", PORT: "0", SANDBOX_PORT: "0" }, undefined, node);
}

function bytesOf(path: string): number {
  const { size } = lstatSync(path);
  if (!lstatSync(path).isDirectory()) return size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), size);
}

describe("the image of the Containerfile", () => {
  it("holds the gateway without sources, in less than its size", () => {
    const files = readdirSync(join(image.root, "app"), { encoding: "utf8", recursive: true });
    const own = files.filter((file) => !file.startsWith("node_modules"));
    expect(own.filter((file) => file.endsWith(".ts"))).toEqual([]);
    expect(own).toEqual(expect.arrayContaining(["src/cli.js", "console/dist/index.html", "src/schema/schema.graphql"]));
    expect(bytesOf(join(image.root, "app")) / 1e6).toBeLessThan(MAX_APP_MB);
  });

  it("serves the console and queries, is healthy, writes only to /data, and stops on SIGTERM", async () => {
    const before = readdirSync(join(image.root, "app"), { recursive: true }).length;
    await using program = startImage();
    const { url } = (await program.line(({ msg }) => msg === "the gateway listens")) as { url: string };
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<div id=")]);
    const answer = await gatewayAt(url).ask("{ callLogs(first: 1) { nodes { sessionId } } }");
    expect(answer.data).toMatchObject({ callLogs: { nodes: [{ sessionId: expect.any(String) }] } });
    const [node = "", ...check] = image.healthCheck.map((word) =>
      inImage(word).replace(":4000", `:${new URL(url).port}`),
    );
    expect(spawnSync(node, check).status).toBe(0);
    program.process.kill("SIGTERM");
    expect(await program.exited).toBe(0);
    expect(spawnSync(node, check).status).toBe(1);
    expect(readdirSync(join(image.root, "data"))).toEqual(expect.arrayContaining(["switchboard.db"]));
    expect(readdirSync(join(image.root, "app"), { recursive: true }).length).toBe(before);
  });
});

describe("the npm package", () => {
  /** As npm installs it: beside the packages that it depends on. */
  function install(isIncluded = (_name: string) => true): string {
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

  it("runs under the Node that it brings, and passes SIGTERM on", async () => {
    const file = install();
    const settings = { PORT: "0", SANDBOX_PORT: "0", DATABASE_URL: `file:${join(dirname(file), "calls.db")}` };
    await using program = startProgram([file, "start"], settings, dirname(file));
    const { url } = (await program.line(({ msg }) => msg === "the gateway listens")) as { url: string };
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    program.process.kill("SIGTERM");
    expect(await program.exited).toBe(0);
  });

  it("holds the alert rules, the dashboard and the unit files", () => {
    const ops = join(dirname(install()), "../ops");
    const files = (folder: string) => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
    expect(files(ops)).toEqual(files(join(ROOT, "ops")));
    expect(files(ops)).toContain("systemd/switchboard.service");
  });

  it("says what to do where it has no Node of its own and was called by an old one", () => {
    const file = install((name) => name !== "node");
    const old = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.19.0'})";
    const { status, stderr } = spawnSync(process.execPath, ["--import", old, file, "schema"], { encoding: "utf8" });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/needs Node 26.*npm rebuild node/)]);
  });
});
