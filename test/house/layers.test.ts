import { join } from "node:path/posix";
import { describe, expect, it } from "vitest";
import { sourcesIn, textAt, type Source } from "./sources.ts";

/** ARCHITECTURE.md, "Layers": a folder imports only from folders with a lower number. */
const layers: Record<string, number> = {
  "logger.ts": 0,
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
  history: 3,
  recordings: 3,
  privacy: 3,
  projections: 3,
  destinations: 3,
  alerts: 3,
  webhook: 4,
  resolvers: 4,
  schema: 5,
  graphql: 6,
  server: 7,
  websocket: 8,
  mcp: 8,
  tracing: 8,
  gateway: 9,
  "gateway.ts": 10,
  commands: 11,
  "main.ts": 12,
  "cli.ts": 12,
};

/** The only folders that may import a package. */
const keepers: [RegExp, string[]][] = [
  [/^undici$/, ["upstream", "recordings", "destinations"]],
  [/^(kysely|pg|node:sqlite)$/, ["store"]],
  [/^@pothos\//, ["schema"]],
  [/^(graphql-yoga|@graphql-yoga\/.*)$/, ["server"]],
  [/^(graphql-ws|ws)$/, ["websocket"]],
  [/^dataloader$/, ["loaders"]],
  [/^pino$/, ["logger.ts"]],
  [/^prom-client$/, ["server"]],
  [/^@opentelemetry\//, ["tracing"]],
  [/^@(redis|nats-io)\//, ["destinations"]],
  [/^@modelcontextprotocol\//, ["mcp"]],
];

interface Manifest {
  exports: string;
  dependencies: Record<string, string>;
}

const manifestOf = (folder: string) => JSON.parse(textAt(join(folder, "package.json"))) as Manifest;

const sources = sourcesIn("src");
const sandbox = { sources: sourcesIn("sandbox/src"), ...manifestOf("sandbox") };
const page = sourcesIn("console/src");
const SANDBOX_ENTRY = join("sandbox", sandbox.exports);
const partOf = (path: string) => path.split("/")[1] ?? "";
const layerOf = (path: string) => layers[partOf(path)];

describe("The layers of src/", () => {
  it("contain every folder", () => {
    const parts = new Set(sources.map(({ path }) => partOf(path)));
    expect([...parts].filter((part) => layers[part] === undefined)).toEqual([]);
    expect(Object.keys(layers).filter((part) => !parts.has(part))).toEqual([]);
  });

  it("import only from lower layers", () => {
    const upward = sources
      .flatMap(({ path, imports }) => imports.map((imported) => [path, imported] as const))
      .filter(([path, imported]) => !isAllowed(path, imported));
    expect(upward).toEqual([]);
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

describe("The package sandbox/", () => {
  it("imports nothing of ours, and only the packages of its package.json", () => {
    const own = new Set(sandbox.sources.map(({ path }) => path));
    const outward = sandbox.sources.flatMap(({ imports }) => imports).filter((imported) => !own.has(imported));
    const used = new Set(
      sandbox.sources.flatMap(({ packages }) => packages).filter((name) => !name.startsWith("node:")),
    );
    expect(own.has(SANDBOX_ENTRY)).toBe(true);
    expect(outward).toEqual([]);
    expect([...used].sort()).toEqual(Object.keys(sandbox.dependencies));
  });

  it("needs only packages of the gateway, in the same versions: the gateway's npm package holds its files", () => {
    expect(manifestOf(".").dependencies).toMatchObject(sandbox.dependencies);
  });
});

describe("The imports of src/, sandbox/ and console/src/", () => {
  it("have no cycle", () => {
    expect(findCycle([...sources, ...sandbox.sources, ...page])).toEqual([]);
  });
});

function isAllowed(path: string, imported: string): boolean {
  if (partOf(path) === partOf(imported)) return true;
  if (imported === SANDBOX_ENTRY) return partOf(path) === "commands";
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
