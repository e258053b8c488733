import { existsSync, globSync } from "node:fs";
import { join, normalize } from "node:path/posix";
import { parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import { scopes } from "../../src/auth/scopes.ts";
import { variables } from "../../src/config/config.ts";
import { errorCodes } from "../../src/errors.ts";
import { printedSchema, schema } from "../../src/schema/schema.ts";
import { documentPaths, ROOT, sourcesIn, textAt } from "./sources.ts";

/** The names in the first column of a document's tables; `before`: of those that stand before this heading. */
function firstColumn(path: string, before?: string): string[] {
  const [text = ""] = before === undefined ? [textAt(path)] : textAt(path).split(`\n## ${before}\n`);
  const rows = text.matchAll(/^\| ([^|]+)\|/gm);
  return [...rows].flatMap(([, cell = ""]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
}

const COMMENT = /\/\*[^]*?\*\/|(?<!:)\/\/.*/g;
const SOURCE_NAME = /\w[\w/.-]*\.ts\b/g;

describe("The documents", () => {
  it("the committed graph is the built one", () => {
    expect(textAt("src/schema/schema.graphql")).toBe(printedSchema());
  });

  it("every variable is in docs/configuration.md, and nothing else", () => {
    expect(firstColumn("docs/configuration.md").sort()).toEqual(Object.keys(variables).sort());
  });

  it("every error code is in docs/errors.md with its meaning, and nothing else", () => {
    expect(firstColumn("docs/errors.md", "What an error carries").sort()).toEqual(Object.keys(errorCodes).sort());
    for (const meaning of Object.values(errorCodes)) expect(textAt("docs/errors.md")).toContain(meaning);
  });

  it("every code of createTask is where it is described, with the errors and with the graph", () => {
    const values = /^enum CreateTaskErrorCode \{([^}]+)\}/m.exec(printedSchema())?.[1] ?? "";
    const codes = values.match(/^  [A-Z_]+$/gm)?.map((code) => code.trim()) ?? [];
    expect(codes.length).toBe(15);
    expect(firstColumn("docs/creating-tasks.md")).toEqual(expect.arrayContaining(codes));
    for (const code of codes) expect(textAt("docs/errors.md")).toContain(`\`${code}\``);
  });

  it("every scope is in docs/security.md", () => {
    expect(firstColumn("docs/security.md")).toEqual(expect.arrayContaining([...scopes]));
  });

  it("no document tells to run or install a package of this repository by its name: anybody could publish it", () => {
    const names = ["package.json", ...globSync("{client,console,sandbox}/package.json", { cwd: ROOT })].map(
      (path) => (JSON.parse(textAt(path)) as { name: string }).name,
    );
    const named = `(?:${names.join("|")})(?![\\w.@-]*\\.tgz)\\b`;
    const byName = new RegExp(
      `(?:npx(?! --no)|npm exec|npm (?:i|install|add)|(?:pnpm|yarn) (?:add|dlx)) (?:-\\S+ )*${named}`,
    );
    const documents = [
      ...documentPaths(),
      ...globSync(["client/*.md", "examples/**/*.md"], { cwd: ROOT, exclude: ["**/node_modules"] }),
    ];
    expect(documents.filter((path) => byName.test(textAt(path)))).toEqual([]);
    for (const command of ["npx switchboard key", "npm install switchboard-client graphql-ws"])
      expect(command).toMatch(byName);
  });

  it("every npm script that a document names exists", () => {
    const { scripts } = JSON.parse(textAt("package.json")) as { scripts: Record<string, string> };
    const documents = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"].map(textAt).join("\n");
    const named = [...documents.matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it("every source file that a document or a comment names is there", () => {
    const folders = [
      "src",
      "sandbox/src",
      "test",
      "bench",
      "scripts",
      "examples",
      "client/src",
      "console/src",
      "site/build",
      "site/src",
    ];
    const sources = folders.flatMap((folder) => sourcesIn(folder));
    const isThere = (named: string) =>
      existsSync(named) || sources.some(({ path }) => `/${path}`.endsWith(`/${named}`));
    // A configuration in JSON names files of the reader's own.
    const documents = documentPaths().map((path) => ({
      path,
      said: textAt(path).replaceAll(/```json\n.*?```/gs, ""),
    }));
    const comments = sources.map(({ path, text }) => ({ path, said: (text.match(COMMENT) ?? []).join("\n") }));
    const missing = [...documents, ...comments].flatMap(({ path, said }) =>
      (said.match(SOURCE_NAME) ?? []).filter((named) => !isThere(named)).map((named) => `${path}: ${named}`),
    );
    expect(missing).toEqual([]);
  });

  it("every invariant in docs/invariants.md names tests that exist", () => {
    const paths = new Set(sourcesIn("test").map(({ path }) => path));
    const rows = [...textAt("docs/invariants.md").matchAll(/^\| ([^|]+[^|\s]) +\|([^|]+)\|$/gm)]
      .map(([, invariant = "", tests = ""]) => ({ invariant, tests: tests.match(/test\/[\w/]+\.test\.ts/g) ?? [] }))
      .filter(({ invariant }) => invariant !== "Invariant" && !/^-+$/.test(invariant));
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.filter(({ tests }) => tests.length === 0)).toEqual([]);
    expect(rows.flatMap(({ tests }) => tests).filter((path) => !paths.has(path))).toEqual([]);
  });

  it("every attack from A38 to A70 is in docs/security.md with tests that are there", () => {
    const paths = new Set(sourcesIn("test").map(({ path }) => path));
    const rows = [...textAt("docs/security.md").matchAll(/^\| (A\d+) +\|[^|]+\|([^|]+)\|$/gm)];
    const named = new Map(rows.map(([, row = "", tests = ""]) => [row, tests.match(/test\/[\w/]+\.test\.ts/g) ?? []]));
    for (let row = 38; row <= 70; row += 1) expect([row, named.get(`A${row}`)?.length]).not.toEqual([row, undefined]);
    expect([...named.values()].flat().filter((path) => !paths.has(path))).toEqual([]);
  });

  it("every operation in a document is valid", () => {
    // docs/federation.md shows those of a larger graph.
    const ownGraph = documentPaths().filter((path) => path !== "docs/federation.md");
    const operations = ownGraph.flatMap((path) =>
      [...textAt(path).matchAll(/```graphql\n(.*?)```/gs)].map(([, text = ""]) => ({ path, text })),
    );
    expect(operations.length).toBeGreaterThan(10);
    const invalid = operations.flatMap(({ path, text }) =>
      validate(schema, parse(text)).map(({ message }) => `${path}: ${message}`),
    );
    expect(invalid).toEqual([]);
  });

  it("no document holds the marks of a merge conflict", () => {
    expect(documentPaths().filter((path) => /^(?:<{7}|>{7}) /m.test(textAt(path)))).toEqual([]);
  });

  it("every link between documents leads to a file", () => {
    const broken = documentPaths().flatMap((path) =>
      [...textAt(path).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)]
        .map(([, target = ""]) => normalize(join(path, "..", target)))
        .filter((target) => !existsSync(join(ROOT, target)))
        .map((target) => `${path}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it("every link to a place in a document leads to a heading", () => {
    const headings = (path: string) =>
      [...textAt(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w -]/g, "")
          .replaceAll(" ", "-"),
      );
    const broken = documentPaths().flatMap((path) =>
      [...textAt(path).matchAll(/\]\(([^):\s]*)#([^)\s]+)\)/g)]
        .map(([, target, anchor = ""]) => ({ target: target ? normalize(join(path, "..", target)) : path, anchor }))
        .filter(({ target, anchor }) => target.endsWith(".md") && !headings(target).includes(anchor))
        .map(({ target, anchor }) => `${path}: ${target}#${anchor}`),
    );
    expect(broken).toEqual([]);
  });

  it("every dependency has its reason in DEPENDENCIES.md", () => {
    const packagesOf = (path: string) => {
      const all = JSON.parse(textAt(path)) as Record<string, object | undefined>;
      return Object.keys({ ...all["dependencies"], ...all["devDependencies"], ...all["peerDependencies"] });
    };
    const paths = globSync("{.,client,console,sandbox,examples/*}/package.json", { cwd: ROOT });
    const own = new Set(paths.map((path) => (JSON.parse(textAt(path)) as { name: string }).name));
    const used = new Set(paths.flatMap(packagesOf).filter((name) => !own.has(name)));
    expect([...new Set(firstColumn("DEPENDENCIES.md"))].sort()).toEqual([...used].sort());
  });

  it("versions are exact, and the lock file names no registry", () => {
    const { dependencies, devDependencies } = JSON.parse(textAt("package.json")) as Record<
      string,
      Record<string, string>
    >;
    const versions = Object.values({ ...dependencies, ...devDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
    for (const lock of [
      "package-lock.json",
      "bench/peers/package-lock.json",
      "bench/routers/package-lock.json",
      "bench/routers/cli/package-lock.json",
    ]) {
      // A package of this repository is "resolved" to its folder.
      expect(textAt(lock)).not.toMatch(/"resolved": "(?!client"|console"|sandbox"|examples\/)|https?:\/\/registry/);
    }
  });
});
