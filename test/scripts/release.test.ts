// `npm run release` in a repository of its own, made of this one's files.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkingCopy, type WorkingCopy } from "../../scripts/mutation/workingCopy.ts";
import {
  isNewer,
  withLockVersion,
  withManifestVersion,
  withNamedVersion,
  withRelease,
} from "../../scripts/release/releaseFiles.ts";
import { ROOT, textAt } from "../house/sources.ts";

const { version: now } = JSON.parse(textAt("package.json")) as { version: string };
const NEXT = "97.1.0";

let repository: WorkingCopy;
const git = (...args: string[]) => {
  const named = ["-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...named, ...args], { cwd: repository.folder, encoding: "utf8" });
};
const textIn = (path: string) => readFileSync(join(repository.folder, path), "utf8");

beforeAll(() => {
  repository = createWorkingCopy(ROOT);
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "All");
});
afterAll(() => repository[Symbol.dispose]());

function release(...args: string[]) {
  const script = join(repository.folder, "scripts/release.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: repository.folder,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe("npm run release", () => {
  // https://github.com/lorenzopant/tmdb/pull/150, https://github.com/AlexKVal/release-script/issues/25
  it("with --dry-run does everything in a copy, and changes nothing", () => {
    const { status, stdout, stderr } = release(NEXT, "--dry-run", "--short");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`Changed for ${NEXT}: package.json, client/package.json`);
    expect(stdout).toContain(`git tag -s v${NEXT}`);
    expect(stdout).toContain("switchboard-client as @switchboard-gateway/client");
    expect(git("status", "--porcelain", "--ignored")).toBe("!! node_modules\n");
    expect(git("worktree", "list").trim().split("\n").length).toBe(1);
  });

  it.each([
    [[], "Usage: npm run release"],
    [["v1.0.0"], "Usage: npm run release"],
    [["1.0"], "Usage: npm run release"],
    [[now], `The version is ${now} already`],
    [["0.0.9"], "is not after it"],
    [[NEXT, "--publish"], "--publish"],
  ])("refuses %j and changes nothing", (args, problem) => {
    const { status, stderr } = release(...args, "--dry-run");
    expect([status, stderr]).toEqual([1, expect.stringContaining(problem)]);
    expect(git("status", "--porcelain")).toBe("");
  });

  it("refuses a tag that is there, and files that are not committed", () => {
    git("tag", "v97.0.0");
    expect(release("97.0.0", "--dry-run", "--short").stderr).toContain("The tag v97.0.0 is there already.");
    writeFileSync(join(repository.folder, "note"), "");
    expect(release(NEXT, "--short").stderr).toMatch(/^Commit or remove what has changed first:\n\?\? note\n/);
    git("clean", "--force", "--quiet");
  });

  it("sets the version in every package, the lock file, the documents and the contract, and dates the changelog", () => {
    const { status, stderr } = release(NEXT, "--short");
    expect([status, stderr]).toEqual([0, ""]);
    const manifests = git("ls-files", "package.json", "*/package.json").trim().split("\n");
    const own = manifests.filter((path) => !path.startsWith("bench/") && !path.startsWith("test/"));
    expect(own.length).toBeGreaterThan(6);
    const versions = own.map((path) => [path, (JSON.parse(textIn(path)) as { version: string }).version]);
    expect(versions).toEqual(own.map((path) => [path, NEXT]));
    expect(textIn("console/package.json")).toContain(`"switchboard-client": "${NEXT}"`);
    expect(JSON.parse(textIn("contract/contract.json"))).toMatchObject({ version: NEXT });
    expect(textIn("CHANGELOG.md")).toMatch(
      new RegExp(String.raw`^## Unreleased\n\n## ${NEXT.replaceAll(".", String.raw`\.`)} \(\d{4}-\d\d-\d\d\)\n`, "m"),
    );
    expect(textIn("docs/installing.md")).toContain(`switchboard-${NEXT}.tgz`);
    expect(textIn("ops/kubernetes/switchboard.yaml")).toContain(`switchboard:${NEXT}\n`);
    // An install would change nothing of it. https://github.com/connectrpc/connect-es/pull/1042
    const lock = JSON.parse(textIn("package-lock.json")) as {
      version: string;
      packages: Record<string, { version: string }>;
    };
    expect([lock.version, lock.packages[""]?.version, lock.packages["client"]?.version]).toEqual([NEXT, NEXT, NEXT]);
    const [added] = git("diff", "--numstat", "package-lock.json").split("\t");
    expect(Number(added)).toBeLessThan(2 * own.length + 3);
    expect(release("97.2.0", "--short").stderr).toContain("Commit or remove");
    git("checkout", "--quiet", ".");
  });
});

describe("the version in a file", () => {
  const change = { from: "0.1.0", to: "1.0.0", names: ["switchboard", "switchboard-client"] };

  it.each([
    ["0.1.0", "0.1.1", true],
    ["0.9.0", "0.10.0", true],
    ["1.0.0", "0.9.9", false],
    ["1.0.0", "1.0.0", false],
    ["1.0.0-rc.2", "1.0.0-rc.10", true],
    ["1.0.0-rc.1", "1.0.0", true],
    ["1.0.0", "1.0.0-rc.1", false],
  ])("%s before %s: %s", (from, to, expected) => expect(isNewer(from, to)).toBe(expected));

  it("of another package stays", () => {
    const manifest = `{ "name": "a", "version": "0.1.0", "dependencies": { "switchboard-client": "0.1.0", "other": "0.1.0" } }`;
    expect(withManifestVersion(manifest, change)).toBe(
      `{ "name": "a", "version": "1.0.0", "dependencies": { "switchboard-client": "1.0.0", "other": "0.1.0" } }`,
    );
    const lock = JSON.stringify({
      version: "0.1.0",
      packages: { "": { version: "0.1.0" }, "node_modules/other": { version: "0.1.0" }, client: { version: "0.1.0" } },
    });
    expect(JSON.parse(withLockVersion(lock, change))).toEqual({
      version: "1.0.0",
      packages: { "": { version: "1.0.0" }, "node_modules/other": { version: "0.1.0" }, client: { version: "1.0.0" } },
    });
    const linesOf = (version: string) => [
      `switchboard-${version}.tgz, switchboard 10.1.0 and 0.1.0.5`,
      "other 0.1.0",
      "Measured with version 0.1.0.",
      `Written for version ${version}.`,
      `| \`switchboard-client\` | ${version} |`,
    ];
    expect(withNamedVersion(linesOf("0.1.0").join("\n"), change)).toBe(linesOf("1.0.0").join("\n"));
  });

  it("of a changelog needs entries that are unreleased", () => {
    const changelog = "# Changelog\n\n## Unreleased\n\n### Added\n\n- A.\n\n## 0.9.0 (2026-01-01)\n\n- B.\n";
    expect(withRelease(changelog, "1.0.0", "2026-11-27")).toBe(
      "# Changelog\n\n## Unreleased\n\n## 1.0.0 (2026-11-27)\n\n### Added\n\n- A.\n\n## 0.9.0 (2026-01-01)\n\n- B.\n",
    );
    expect(() => withRelease(changelog, "0.9.0", "2026-11-27")).toThrow("has 0.9.0 already");
    expect(() => withRelease(changelog.replace("- A.\n", ""), "1.0.0", "2026-11-27")).toThrow(
      'nothing under "Unreleased"',
    );
  });
});
