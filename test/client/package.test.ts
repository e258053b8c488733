// The package as users get it: packed, installed without a registry, and bundled.
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, type Rollup } from "vite";
import { ROOT, textAt } from "../house/sources.ts";
import { startGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { endCalls } from "./clients.ts";
import { onSameClock } from "../support/sameClock.ts";

const run = promisify(execFile);
const MAX_BYTES = 8000;

let project: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "switchboard-client-"));
  const packed = await run("npm", ["pack", "--json", "--pack-destination", project], { cwd: join(ROOT, "client") });
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  await writeFile(join(project, "package.json"), '{ "name": "app", "type": "module", "private": true }');
  const peers = ["graphql-ws", "graphql"].map((name) => join(ROOT, "node_modules", name));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(project, filename), ...peers], {
    cwd: project,
  });
});
afterAll(() => rm(project, { recursive: true, force: true }));

describe("The tarball in an empty project", () => {
  const runtimes: Runtime[] = [["the Node of this repository", [process.execPath]], ...installedRuntimes()];

  it.each(runtimes)("runs the first example of its README, on %s", async (_, [program, ...options]) => {
    await using gateway = await startGateway({ url: "http://127.0.0.1:9" });
    await endCalls(gateway, ["listed"]);
    const example = /```js\n(.*?)```/s.exec(textAt("client/README.md"))?.[1] ?? "";
    expect(example).toContain("http://127.0.0.1:4000");
    expect(example.trim().split("\n").length).toBeLessThanOrEqual(13);
    await writeFile(join(project, "example.js"), example.replace("http://127.0.0.1:4000", gateway.url));
    const child = spawn(program, [...options, "example.js"], { cwd: project, env: onSameClock({ HOME: project }) });
    try {
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
      // A call may end before the list is read: then it is in the list.
      let made = 0;
      await until(async () => {
        if (child.exitCode !== null) throw new Error(output);
        await endCalls(gateway, [`live-${(made += 1)}`]);
        return output.split("\n").length > 3;
      });
      const lines = output.trim().split("\n");
      const first = Number(/^\d+ live-(\d+)$/.exec(lines[0] ?? "")?.[1]);
      // The list has the calls before, at most 20 of them.
      const listed = Math.min(20, first);
      const expected = lines.map((_, index) => `${listed + 1 + index} live-${first + index}`);
      expect(lines).toEqual(expected);
    } finally {
      child.kill("SIGKILL");
    }
  });

  it("has types that a strict project accepts", async () => {
    const code = `import { createSwitchboardClient, SwitchboardError, type StreamItem, type graph } from "switchboard-client";
      await using client = createSwitchboardClient({ url: "/graphql", authorization: async () => "Bearer key" });
      interface Document<T, V> { kind: "Document"; definitions: readonly []; __apiType?: (variables: V) => T }
      declare const typed: Document<{ viewer: { name: string } }, { id: string }>;
      const name: string = (await client.query(typed, { id: "1" })).viewer.name;
      // @ts-expect-error The variable is missing.
      await client.query(typed, {});
      declare const live: Document<{ callEndedStream: { __typename: "CallEnded"; cursor: string; endAt: string } | { __typename: "StreamGap" } }, { after: string | null }>;
      for await (const item of client.callEnded({ document: live })) if (item.type === "call") item.call.endAt.trim();
      for await (const item of client.callEnded()) {
        const known: StreamItem = item;
        if (item.type === "call") console.log(item.call.sessionId, item.call.assistants[0]?.assistantId, known.cursor);
        else item.after.trim();
      }
      export const task: graph.Task | null = null;
      export const error = new SwitchboardError(name, "");`;
    await mkdir(join(project, "types"), { recursive: true });
    await writeFile(join(project, "types/app.ts"), code);
    const flags = [
      "--noEmit",
      "--strict",
      "--target",
      "esnext",
      "--module",
      "nodenext",
      "--lib",
      "esnext,dom,dom.iterable",
    ];
    await expect(run("tsc", [...flags, "--types", "", "types/app.ts"], { cwd: project })).resolves.toBeTruthy();
  });
});

describe("The bundle of a page", () => {
  it(`has at most ${MAX_BYTES} bytes as gzip without graphql-ws, and no code that a strict policy forbids`, async () => {
    const code = await bundle('export * from "switchboard-client";');
    const bytes = gzipSync(code).length;
    process.stdout.write(`switchboard-client has ${bytes} bytes as gzip, ${code.length} minified\n`);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
    expect(bytes).toBeGreaterThan(4000);
    expect(code).not.toMatch(/\beval\(|new Function|innerHTML|document\.write/);
  });

  it("holds only what the page imports", async () => {
    const code = await bundle('export { SwitchboardError } from "switchboard-client";');
    expect(code).toContain("SwitchboardError");
    expect(code).not.toContain("graphql-ws");
    expect(code.length).toBeLessThan(1000);
  });
});

async function bundle(entry: string): Promise<string> {
  const input = join(project, "entry.js");
  await writeFile(input, entry);
  const built = (await build({
    root: project,
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      modulePreload: false,
      rollupOptions: { input, preserveEntrySignatures: "strict", external: [/^graphql-ws/] },
    },
  })) as Rollup.RollupOutput;
  return built.output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
}

/** A name, and how it runs a script. */
type Runtime = [string, [program: string, ...options: string[]]];

/** An older Node, Deno and Bun, where the machine has them. */
function installedRuntimes(): Runtime[] {
  const node = installedProgram("node");
  const deno = installedProgram("deno");
  const bun = installedProgram("bun");
  return [
    ...(node ? [["the machine's Node", [node]] satisfies Runtime] : []),
    ...(deno ? [["Deno", [deno, "run", "-A"]] satisfies Runtime] : []),
    ...(bun ? [["Bun", [bun]] satisfies Runtime] : []),
  ];
}

function installedProgram(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path) && path !== process.execPath);
}
