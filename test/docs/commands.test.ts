// Runs the commands of the pages in a shell, against a gateway with keys in front of a sandbox.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scopes } from "../../src/auth/scopes.ts";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { taskInput } from "../e2e/submitting.ts";
import { ROOT } from "../house/sources.ts";
import { callEndedEvent } from "../support/events.ts";
import { connectSandbox, emptySandbox } from "../support/emptySandbox.ts";
import { startGateway, temporaryDirectory, type Directory, type TestGateway } from "../support/gateway.ts";
import { bearer, keyOf, writeKeys } from "../support/keys.ts";
import { TOKEN } from "../support/sandbox.ts";
import { onSameClock } from "../support/sameClock.ts";
import { until } from "../support/until.ts";
import { allBlocks, blocksOf, withHosts } from "./blocks.ts";

const all = (page: string, heading: string) =>
  allBlocks.filter((block) => block.page === page && block.heading === heading && block.language === "sh");
const only = (page: string, heading: string): string => {
  const [block, ...others] = all(page, heading);
  if (!block || others.length > 0) throw new Error(`${page} has not one command under ${heading}.`);
  return block.code;
};

let parts: AsyncDisposableStack;
let folder: Directory;
let sandbox: Sandbox;
let gateway: TestGateway;
beforeAll(async () => {
  parts = new AsyncDisposableStack();
  folder = parts.use(await temporaryDirectory());
  // Commands write a file of keys of their own.
  const keys = parts.use(await temporaryDirectory());
  sandbox = parts.use(await emptySandbox());
  const viewers = { admin: scopes.filter((scope) => scope !== "tasks:propose"), planner: ["tasks:propose"] };
  gateway = parts.use(await startGateway(sandbox, { API_KEYS_FILE: await writeKeys(keys.path, viewers) }));
  connectSandbox(sandbox, gateway);
});
afterAll(() => parts.disposeAsync());

/** `npx --no-install switchboard` is this repository's, and the gateway of `npm start` runs already. */
const PRELUDE = `set -euo pipefail
npx() { shift 2; "${process.execPath}" "${ROOT}/src/cli.ts" "$@"; }
npm() { :; }
`;

async function run(code: string, env: Record<string, string> = {}): Promise<{ code: unknown; output: string }> {
  const host = new URL(gateway.url).host;
  const own = withHosts(code, { "127.0.0.1:4000": host })
    .replaceAll("https://switchboard.example", gateway.url)
    .replaceAll(/'<[^>']*\bkey\b[^>']*>'/g, keyOf("admin"))
    .replaceAll("Bearer <key>", bearer("admin"))
    .replaceAll("https://calls.example", sandbox.url)
    .replaceAll("'<token>'", TOKEN);
  const shell = spawn("bash", ["-c", PRELUDE + own], {
    cwd: folder.path,
    env: onSameClock({ PATH: process.env["PATH"] ?? "", PORT: new URL(gateway.url).port, ...env }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(shell, "close");
  const [output, errors] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
  return { code: (await exited)[0], output: output + errors };
}

const asked = <T>(query: string, variables: unknown = {}, viewer = "admin") =>
  gateway.ask<T>(query, variables, { authorization: bearer(viewer) });

async function propose(): Promise<string> {
  interface Created {
    createTask: { submission: { id: string } };
  }
  const input = taskInput(sandbox, { numbers: [{ number: `+1202555${Math.floor(1000 + proposed * 7)}` }] });
  proposed += 1;
  const mutation =
    "mutation ($input: CreateTaskInput!) { createTask(input: $input) { submission { id } errors { message } } }";
  const { data } = await asked<Created>(mutation, { input }, "planner");
  return data?.createTask.submission.id ?? "";
}
let proposed = 0;

describe("The commands of the pages", () => {
  it("ask from a shell, with a key", async () => {
    const withKey = (code: string) =>
      code.replace("-H 'content-type", `-H 'authorization: ${bearer("admin")}' -H 'content-type`);
    const { output } = await run(withKey(only("README.md", "Query")));
    expect(JSON.parse(output)).toMatchObject({ data: { callLogs: { totalCount: 0, nodes: [] } } });
    const followed = run(`${withKey(only("docs/live-events.md", "From a shell")).trim()} | sed '/"callEnded"/q'`);
    let isDone = false;
    void followed.then(() => (isDone = true));
    // It subscribes at some time; each call that ends then arrives.
    await until(() => isDone || (sandbox.control.endCall({}), false));
    expect((await followed).output).toMatch(
      /event: next\nid: \S+\ndata: \{"data":\{"callEnded":\{"cursor":"\S+","sessionId":"\S+"\}\}/,
    );
  });

  it.each([
    ["README.md", "Your own service"],
    ["docs/security.md", "Security"],
  ])("make a key of %s under %s", async (page, heading) => {
    const { code, output } = await run(only(page, heading));
    expect([code, output]).toEqual([0, expect.stringContaining("swb_")]);
    if (heading === "Security") expect(output).toContain('{"data":{"viewer":{"name":"admin"');
  });

  it("list, approve and decline proposals", async () => {
    const ids = [await propose(), await propose()];
    const block = only("docs/creating-tasks.md", "Two-person approval").replaceAll("'<ID>'", () => ids.shift() ?? "");
    const { code, output } = await run(block);
    expect([code, output]).toEqual([0, expect.stringContaining('"status":"PROPOSED"')]);
  });

  it("import and remove numbers that must not be called", async () => {
    await writeFile(join(folder.path, "list.csv"), "+12025550101\n+12025550102\n");
    await writeFile(join(folder.path, "people.csv"), "name,mobile\nLi,+12025550103\n");
    await writeFile(join(folder.path, "people.txt"), "+12025550104\tLi\n");
    const { code, output } = await run(only("docs/creating-tasks.md", "Numbers that must not be called"));
    expect([code, output]).toEqual([0, output]);
    const { data } = await asked<{ doNotCall: { count: number } }>("{ doNotCall { count } }");
    expect(data?.doNotCall.count).toBe(2);
  });

  it("print how far projections have read, and make one anew", async () => {
    const { code, output } = await run(only("docs/campaigns.md", "Make them anew"));
    expect([code, output]).toEqual([0, expect.stringContaining('"name":"recipients","build":1')]);
    expect(output).toContain('"build":2,"version":"2","state":"LIVE"');
  });

  it("show, reprocess and discard what is in quarantine", async () => {
    for (const body of ["no JSON", "neither"]) expect((await gateway.deliver(body)).status).toBe(200);
    interface Listed {
      quarantinedDeliveries: { nodes: { id: string }[] };
    }
    const { data } = await asked<Listed>("{ quarantinedDeliveries { nodes { id } } }");
    const id = data?.quarantinedDeliveries.nodes[0]?.id ?? "";
    const block = only("docs/operating.md", "Quarantine").replace("'<id>'", id);
    // Deliveries that still cannot be read give the exit code 1.
    const lines = block
      .trim()
      .split("\n")
      .map((line) => (line.includes("--reprocess") ? `${line} || true` : line));
    const { code, output } = await run(lines.join("\n"));
    expect([code, output]).toEqual([0, expect.stringContaining("no JSON")]);
    expect((await run(only("docs/live-events.md", "Quarantine"))).code).toBe(1);
  });

  it("print who did what, and erase a person", async () => {
    expect(await run(only("docs/operating.md", "The audit log"))).toMatchObject({
      code: 0,
      output: expect.stringContaining('"action":"DELIVERY_DISCARDED"'),
    });
    await gateway.deliver(callEndedEvent({ session_id: "erased", caller: "+12025550109" }));
    await writeFile(join(folder.path, "number.txt"), "+12025550109\n");
    expect((await run(only("docs/security.md", "Forgetting a person"))).code).toBe(0);
    expect((await asked('{ callEnded(sessionId: "erased") { id } }')).data).toEqual({ callEnded: null });
  });

  it("examine a service, find its clock, and see the webhook arrive", async () => {
    const page = "docs/your-own-service.md";
    expect((await run(only(page, "Find out how the service behaves"))).output).toContain("Settings:");
    sandbox.control.endCall({});
    const env = { UPSTREAM_URL: sandbox.url, UPSTREAM_TOKEN: TOKEN };
    const { output } = await run(only(page, "Find the time zone with a test call"), env);
    expect(output).toMatch(/"endAt":"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"[^]*\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n$/);
    const [, outside] = blocksOf(page).filter(({ heading }) => heading === "Try it from outside");
    expect((await run(only(page, "Try it from outside"))).output.trim()).toBe(outside?.code.trim());
    sandbox.control.endCall({});
    expect((await run(only(page, "See that a webhook arrived"))).code).toBe(0);
  });
});

describe("The files of keys in docs/security.md", () => {
  const shown = blocksOf("docs/security.md").filter(({ language }) => language === "json");

  it.each(shown.map(({ heading, code }) => [heading, code]))("start a gateway: %s", async (_, code) => {
    const file = join(folder.path, "shown.json");
    await writeFile(file, code.replace(/"sha256": "[^"]*"/, `"sha256": "${"0".repeat(64)}"`));
    await using started = await startGateway(sandbox, { API_KEYS_FILE: file });
    expect((await fetch(`${started.url}/readyz`)).status).toBe(200);
  });
});

describe("The commands of docs/sandbox.md", () => {
  const commands = blocksOf("docs/sandbox.md").filter(
    ({ language, code }) => language === "sh" && code.startsWith("curl"),
  );

  it.each(commands.map(({ heading, code }) => [heading, code]))("are accepted by the sandbox: %s", async (_, code) => {
    await using own = await emptySandbox({ history: { tasks: 8, calls: 20, days: 1 } });
    const failing = `curl() { command curl -sS --fail-with-body "$@"; echo; }\n`;
    const { code: exit, output } = await run(failing + withHosts(code, { "127.0.0.1:4010": new URL(own.url).host }), {
      SANDBOX_TOKEN: TOKEN,
    });
    expect({ exit, output }).toEqual({ exit: 0, output });
  });
});
