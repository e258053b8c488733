// Runs the scenarios of the protocol's own suite that apply to a gateway's tools, for each revision of the protocol that has them. The other
// scenarios need a server with tools of their own names, prompts, logging, sampling, elicitation or sessions, which a gateway does not have.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const OF_2025 = ["2025-06-18", "2025-11-25"];
const REVISIONS = [...OF_2025, "2026-07-28"];
const SCENARIOS = new Map([
  ["server-initialize", OF_2025],
  ["ping", OF_2025],
  ["tools-list", REVISIONS],
  ["resources-list", REVISIONS],
  ["dns-rebinding-protection", ["2025-11-25", "2026-07-28"]],
  ["server-stateless", ["2026-07-28"]],
  ["server-sse-multiple-streams", ["2026-07-28"]],
  ["sep-2164-resource-not-found", ["2026-07-28"]],
  ["caching", ["2026-07-28"]],
  ["http-header-validation", ["2026-07-28"]],
  ["input-required-result-unsupported-methods", ["2026-07-28"]],
]);
/** Checks that fail without prompts, or without the suite's own diagnostic tools. */
const NOT_OURS = new Set([
  "sep-2549-prompts-list-caching-hints",
  "sep-2575-server-rejects-undeclared-capability",
  "sep-2575-missing-capability-http-400",
  "sep-2575-http-server-no-independent-requests-on-stream",
  "sep-2575-server-no-log-without-loglevel",
]);

interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  errorMessage?: string;
}

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

for (const [scenario, revisions] of SCENARIOS)
  for (const revision of revisions)
    void test(`the gateway passes the scenario ${scenario} of ${revision}`, async () => {
      const { checks, output } = await runScenario(scenario, revision);
      assert.ok(checks.filter(({ status }) => status === "SUCCESS").length > 0, output);
      const failed = checks.filter(({ id, status }) => /FAILURE|WARNING/.test(status) && !NOT_OURS.has(id));
      assert.deepEqual(failed, [], output);
    });

async function runScenario(scenario: string, revision: string): Promise<{ checks: Check[]; output: string }> {
  const results = join(folder, `${scenario}-${revision}`);
  const named = ["--scenario", scenario, "--spec-version", revision];
  const args = [SUITE, "server", "--url", `${url}/mcp`, ...named, "--output-dir", results];
  const suite = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const printed = Promise.all([suite.stdout.toArray(), suite.stderr.toArray()]);
  await once(suite, "exit");
  const output = (await printed).flat().join("");
  const [only = "missing"] = await readdir(results).catch((): string[] => assert.fail(output));
  return { checks: JSON.parse(await readFile(join(results, only, "checks.json"), "utf8")) as Check[], output };
}
