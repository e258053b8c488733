// Runs the scenarios of the protocol's own suite that apply to a gateway's tools. The other scenarios need a server with tools of their
// own names, prompts, logging, sampling, elicitation or sessions, which a gateway does not have.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const SCENARIOS = ["server-initialize", "ping", "tools-list", "resources-list", "dns-rebinding-protection"];

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SUITE = fileURLToPath(new URL("node_modules/.bin/conformance", import.meta.url));

let folder: string;
let gateway: ReturnType<typeof spawn>;
let url = "";

/** The gateway with its sandbox, open on the loopback. */
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "switchboard-mcp-"));
  const env = {
    PATH: process.env["PATH"],
    PORT: "0",
    SANDBOX_PORT: "0",
    MCP: "on",
    DATABASE_URL: `file:${join(folder, "switchboard.db")}`,
    RECORDINGS_DIR: join(folder, "recordings"),
  };
  gateway = spawn(process.execPath, [join(ROOT, "src/main.ts")], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  assert.ok(gateway.stdout);
  for await (const line of createInterface({ input: gateway.stdout })) {
    if (!line.startsWith("{")) continue;
    const entry = JSON.parse(line) as { msg?: string; url?: string };
    if (entry.msg !== "the gateway listens" || entry.url === undefined) continue;
    url = entry.url;
    break;
  }
  gateway.stdout.resume();
});
after(async () => {
  const ended = once(gateway, "exit");
  gateway.kill("SIGKILL");
  await ended;
  await rm(folder, { recursive: true, force: true });
});

for (const scenario of SCENARIOS)
  void test(`the gateway passes the scenario ${scenario}`, async () => {
    const args = [SUITE, "server", "--url", `${url}/mcp`, "--scenario", scenario];
    const suite = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    const output = Promise.all([suite.stdout.toArray(), suite.stderr.toArray()]);
    const [code] = (await once(suite, "exit")) as [number];
    assert.equal(code, 0, (await output).flat().join(""));
  });
