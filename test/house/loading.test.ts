import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it, describe } from "vitest";

/** The modules, the gateway's and Node's own, that a process has loaded after it imported the gateway. */
async function loadedWithGateway(): Promise<{ files: string[]; builtIn: string[] }> {
  const program = `
    import { registerHooks } from "node:module";
    const files = [];
    registerHooks({ load: (url, context, next) => (files.push(url), next(url, context)) });
    await import(new URL("src/gateway.ts", "file://" + process.cwd() + "/"));
    console.log(JSON.stringify({ files, builtIn: process.moduleLoadList }));`;
  const node = promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { maxBuffer: 1e8 });
  return JSON.parse((await node).stdout) as { files: string[]; builtIn: string[] };
}

describe("The start of the gateway", () => {
  it("loads neither Yoga, metrics, PostgreSQL, tokens nor the sandbox, and no unused parts of packages", async () => {
    const { files, builtIn } = await loadedWithGateway();
    const later = [
      "/node_modules/graphql-yoga/",
      "/node_modules/prom-client/",
      "/node_modules/pg/",
      "/node_modules/jose/",
      "/node_modules/aws4fetch/",
      "/node_modules/@redis/",
      "/node_modules/@nats-io/",
      "/node_modules/undici/lib/web/",
      "/node_modules/undici/lib/mock/",
      "/node_modules/@opentelemetry/",
      "/src/tracing/start",
      "/sandbox/src/",
      "/src/doctor/",
      "/node_modules/@modelcontextprotocol/",
      "/src/mcp/",
    ];
    expect(files.length).toBeGreaterThan(100);
    expect(later.filter((part) => files.some((file) => file.includes(part)))).toEqual([]);
    // Node's own fetch: see server/httpServer.ts.
    expect(builtIn.filter((name) => name.includes("deps/undici"))).toEqual([]);
  });
});
