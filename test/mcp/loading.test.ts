// What a gateway loads of the tools for agents, as a process of its own.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { NO_SERVICE, spawnGateway, temporaryDirectory } from "../support/gateway.ts";

const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });

/** The modules of the tools and of the protocol's library that it has loaded, after its start and after a request to /mcp. */
async function loaded(
  env: Record<string, string>,
): Promise<{ atStart: string[]; afterRequest: string[]; status: number }> {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "loaded.txt");
  const hook = join(directory.path, "hook.mjs");
  await writeFile(file, "");
  await writeFile(
    hook,
    `import { appendFileSync } from "node:fs";
     import { registerHooks } from "node:module";
     registerHooks({
       load(url, context, next) {
         if (/\\/src\\/mcp\\/|@modelcontextprotocol/.test(url)) appendFileSync(${JSON.stringify(file)}, url + "\\n");
         return next(url, context);
       },
     });`,
  );
  const options = { NODE_OPTIONS: `--import=${pathToFileURL(hook).href}` };
  await using gateway = await spawnGateway(NO_SERVICE, { ...env, ...options });
  await gateway.ask("{ serviceTimeZone }");
  const atStart = await linesOf(file);
  const headers = { "content-type": "application/json" };
  const { status } = await fetch(`${gateway.url}/mcp`, { method: "POST", headers, body: LIST });
  return { atStart, afterRequest: await linesOf(file), status };
}

const linesOf = async (file: string) => (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
const isOfLibrary = (url: string) => url.includes("@modelcontextprotocol");

describe("A gateway", () => {
  it("without MCP=on loads nothing of the tools for agents", async () => {
    expect(await loaded({})).toEqual({ atStart: [], afterRequest: [], status: 404 });
  });

  it("with MCP=on loads the protocol's library at the first request", async () => {
    const { atStart, afterRequest, status } = await loaded({ MCP: "on" });
    expect(atStart.some((url) => url.endsWith("/src/mcp/createMcp.ts"))).toBe(true);
    expect(atStart.filter(isOfLibrary)).toEqual([]);
    expect(status).toBe(200);
    expect(afterRequest.filter(isOfLibrary)).not.toEqual([]);
  });
});
