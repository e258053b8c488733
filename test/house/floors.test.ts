import { describe, expect, it } from "vitest";
import { sourcesIn, type Source } from "./sources.ts";

/** ARCHITECTURE.md, "Floors": what stands on which. */
const floors: Record<string, number> = {
  "log.ts": 0,
  "errors.ts": 0,
  "config.ts": 0,
  "configError.ts": 0,
  "configRules.ts": 0,
  "recordingsConfig.ts": 0,
  "listConfig.ts": 0,
  "sandboxConfig.ts": 0,
  "seal.ts": 0,
  "meters.ts": 0,
  "tally.ts": 0,
  "version.ts": 0,
  "whenKnown.ts": 0,
  "canonicalJson.ts": 0,
  "digest.ts": 0,
  "slices.ts": 0,
  dialect: 0,
  upstream: 1,
  store: 1,
  auth: 1,
  loaders: 2,
  events: 2,
  doctor: 2,
  tasks: 3,
  reconcile: 3,
  recordings: 3,
  people: 3,
  "context.ts": 4,
  webhook: 4,
  resolvers: 5,
  schema: 6,
  http: 7,
  "gateway.ts": 8,
  commands: 9,
  "main.ts": 10,
  "cli.ts": 10,
};

/** Who alone may import a package. */
const keepers: [RegExp, string[]][] = [
  [/^undici$/, ["upstream", "recordings"]],
  [/^(kysely|pg|node:sqlite)$/, ["store"]],
  [/^@pothos\//, ["schema"]],
  [/^(graphql-yoga|graphql-ws|ws|@graphql-yoga\/.*)$/, ["http"]],
  [/^dataloader$/, ["loaders"]],
  [/^pino$/, ["log.ts"]],
  [/^prom-client$/, ["http"]],
];

const sources = sourcesIn("src");
const partOf = (path: string) => path.split("/")[1] ?? "";
const floorOf = (path: string) => floors[partOf(path)];

describe("a folder imports only from lower ones", () => {
  it("every part has a floor", () => {
    const parts = new Set(sources.map(({ path }) => partOf(path)));
    expect([...parts].filter((part) => part !== "sandbox" && floors[part] === undefined)).toEqual([]);
    expect(Object.keys(floors).filter((part) => !parts.has(part))).toEqual([]);
  });

  it("nothing is imported upward or from beside", () => {
    const upward = sources
      .filter(({ path }) => partOf(path) !== "sandbox")
      .flatMap(({ path, imports }) => imports.map((imported) => [path, imported] as const))
      .filter(([path, imported]) => !isAllowed(path, imported));
    expect(upward).toEqual([]);
  });

  it("the sandbox imports nothing of ours but the logger, and only commands import the sandbox", () => {
    const outward = sources
      .filter(({ path }) => partOf(path) === "sandbox")
      .flatMap(({ imports }) => imports)
      .filter((imported) => partOf(imported) !== "sandbox" && imported !== "src/log.ts");
    expect(outward).toEqual([]);
  });

  it("a package is imported only where it belongs", () => {
    const strays = sources.flatMap(({ path, packages }) =>
      packages
        .filter((name) => keepers.some(([rule, parts]) => rule.test(name) && !parts.includes(partOf(path))))
        .map((name) => [path, name]),
    );
    expect(strays).toEqual([]);
  });
});

describe("no file waits for another in a circle", () => {
  it("the imports have no cycle", () => {
    expect(findCycle(sources)).toEqual([]);
  });
});

function isAllowed(path: string, imported: string): boolean {
  if (partOf(path) === partOf(imported)) return true;
  if (partOf(imported) === "sandbox") return partOf(path) === "commands";
  const [from, to] = [floorOf(path), floorOf(imported)];
  if (from === undefined || to === undefined) return false;
  // The ground floor's files may stand on each other: a cycle is found below.
  return to < from || (from === 0 && to === 0);
}

/** The files of a circle, or nothing. */
function findCycle(files: readonly Source[]): string[] {
  const importsOf = new Map(files.map(({ path, imports }) => [path, imports]));
  const done = new Set<string>();
  function visit(path: string, trail: string[]): string[] {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return [];
    for (const next of importsOf.get(path) ?? []) {
      const cycle = visit(next, [...trail, path]);
      if (cycle.length > 0) return cycle;
    }
    done.add(path);
    return [];
  }
  for (const { path } of files) {
    const cycle = visit(path, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
