// Which packages reach a page that imports one entry of switchboard-client.
import { join } from "node:path";
import { build, type Rollup } from "vite";
import { expect, it } from "vitest";
import { ROOT } from "../house/sources.ts";

const GRAPHQL_WS = ["graphql-ws"];

/** The packages and the folders of client/src in the bundle of everything that an entry exports. */
async function contentsOf(entry: string): Promise<{ packages: string[]; folders: string[] }> {
  const input = join(ROOT, "client/src", entry);
  const built = (await build({
    configFile: false,
    logLevel: "silent",
    build: { write: false, rollupOptions: { input, preserveEntrySignatures: "strict" } },
  })) as Rollup.RollupOutput;
  const modules = built.output.flatMap((chunk) => (chunk.type === "chunk" ? Object.keys(chunk.modules) : []));
  const found = (pattern: RegExp) =>
    [...new Set(modules.flatMap((path) => pattern.exec(path)?.slice(1, 2) ?? []))].sort();
  return {
    packages: found(/node_modules\/((?:@[^/]+\/)?[^/]+)/),
    folders: found(/client\/src\/(\w+)\//),
  };
}

it("A page that imports switchboard-client gets no React, no msw and no graphql", async () => {
  const { packages, folders } = await contentsOf("index.ts");
  expect(packages).toEqual(GRAPHQL_WS);
  expect(folders).not.toContain("react");
  expect(folders).not.toContain("testing");
});

it("A page that imports switchboard-client/react gets React alone", async () => {
  const { packages, folders } = await contentsOf("react/index.ts");
  expect(packages).toEqual(["react"]);
  expect(folders).toEqual(["http", "react"]);
});

it("The handlers for tests bring msw and graphql, and no React", async () => {
  const { packages } = await contentsOf("testing/index.ts");
  expect(packages).toEqual(expect.arrayContaining(["graphql", "msw", ...GRAPHQL_WS]));
  expect(packages).not.toContain("react");
});
