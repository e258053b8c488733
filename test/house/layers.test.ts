import { describe, expect, it } from "vitest";
import { sourcesIn, type Source } from "./sources.ts";

/** ARCHITECTURE.md, "Layers": a folder imports only from folders with a lower number. */
const layers: Record<string, number> = {
  "log.ts": 0,
  "errors.ts": 0,
  config: 0,
  format: 0,
  util: 0,
  upstream: 1,
  store: 1,
  auth: 1,
  loaders: 2,
  events: 2,
  doctor: 2,
  tasks: 3,
  reconcile: 3,
  recordings: 3,
  privacy: 3,
  webhook: 4,
  resolvers: 4,
  schema: 5,
  graphql: 6,
  server: 7,
  websocket: 8,
  tracing: 8,
  gateway: 9,
  "gateway.ts": 10,
  commands: 11,
  "main.ts": 12,
  "cli.ts": 12,
};

/** The only folders that may import a package. */
const keepers: [RegExp, string[]][] = [
  [/^undici$/, ["upstream", "recordings"]],
  [/^(kysely|pg|node:sqlite)$/, ["store"]],
  [/^@pothos\//, ["schema"]],
  [/^(graphql-yoga|@graphql-yoga\/.*)$/, ["server"]],
  [/^(graphql-ws|ws)$/, ["websocket"]],
  [/^dataloader$/, ["loaders"]],
  [/^pino$/, ["log.ts"]],
  [/^prom-client$/, ["server"]],
  [/^@opentelemetry\//, ["tracing"]],
];

const sources = sourcesIn("src");
const partOf = (path: string) => path.split("/")[1] ?? "";
const layerOf = (path: string) => layers[partOf(path)];

describe("The layers of src/", () => {
  it("contain every folder", () => {
    const parts = new Set(sources.map(({ path }) => partOf(path)));
    expect([...parts].filter((part) => part !== "sandbox" && layers[part] === undefined)).toEqual([]);
    expect(Object.keys(layers).filter((part) => !parts.has(part))).toEqual([]);
  });

  it("import only from lower layers", () => {
    const upward = sources
      .filter(({ path }) => partOf(path) !== "sandbox")
      .flatMap(({ path, imports }) => imports.map((imported) => [path, imported] as const))
      .filter(([path, imported]) => !isAllowed(path, imported));
    expect(upward).toEqual([]);
  });

  it("keep the sandbox apart: it imports only the logger, and only commands import it", () => {
    const outward = sources
      .filter(({ path }) => partOf(path) === "sandbox")
      .flatMap(({ imports }) => imports)
      .filter((imported) => partOf(imported) !== "sandbox" && imported !== "src/log.ts");
    expect(outward).toEqual([]);
  });

  it("import a package only in its folders", () => {
    const strays = sources.flatMap(({ path, packages }) =>
      packages
        .filter((name) => keepers.some(([rule, parts]) => rule.test(name) && !parts.includes(partOf(path))))
        .map((name) => [path, name]),
    );
    expect(strays).toEqual([]);
  });
});

describe("The imports of src/", () => {
  it("have no cycle", () => {
    expect(findCycle(sources)).toEqual([]);
  });
});

function isAllowed(path: string, imported: string): boolean {
  if (partOf(path) === partOf(imported)) return true;
  if (partOf(imported) === "sandbox") return partOf(path) === "commands";
  const [from, to] = [layerOf(path), layerOf(imported)];
  if (from === undefined || to === undefined) return false;
  // Files of the lowest layer may import each other; the test below finds cycles.
  return to < from || (from === 0 && to === 0);
}

/** The files of a cycle, or an empty list. */
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
