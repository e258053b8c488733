// What the audit log says of what an agent did, and how the names of agents' programs are cleaned.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientNameOf } from "../../src/mcp/mcpServer.ts";
import { connectAgent } from "../support/agent.ts";
import { NO_SERVICE, startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { proposal } from "./proposal.ts";

const parts = new AsyncDisposableStack();
let gateway: TestGateway;

beforeAll(async () => {
  const directory = parts.use(await temporaryDirectory());
  const keys = await writeKeys(directory.path, { bot: ["calls:read", "tasks:propose", "admin"] });
  const tools = join(directory.path, "tools");
  await mkdir(tools);
  const add = "mutation never_call($numbers: [String!]!) { addToDoNotCall(numbers: $numbers) { changed } }";
  await writeFile(join(tools, "add.graphql"), `# Adds numbers to the never-call list.\n${add}`);
  const env = { MCP: "on", MCP_OPERATIONS: tools, MCP_ALLOW: "addToDoNotCall", API_KEYS_FILE: keys };
  gateway = parts.use(await startGateway(NO_SERVICE, env));
});
afterAll(() => parts.disposeAsync());

const QUERY = `query ($filter: AuditEventFilter) {
  auditEvents(first: 9, filter: $filter) { nodes { actor action via tool client } } }`;
const ADD = "mutation ($numbers: [String!]!) { addToDoNotCall(numbers: $numbers) { changed } }";
const headers = { authorization: bearer("bot") };

async function entries(filter: object | null = null) {
  const { data } = await gateway.ask<{ auditEvents: { nodes: unknown[] } }>(QUERY, { filter }, headers);
  return data?.auditEvents.nodes;
}

describe("The audit log of what an agent did", () => {
  // https://github.com/FlowFuse/flowfuse/issues/7425, https://github.com/FlowFuse/flowfuse/issues/8271
  it("says that it was one, with its tool and its program, beside what the same key did at /graphql", async () => {
    await using modern = await connectAgent(gateway, { as: "bot" });
    // https://github.com/obot-platform/obot/issues/7615
    const named = { "user-agent": "plain/1.0" };
    await using legacy = await connectAgent(gateway, { as: "bot", era: "legacy", headers: named });
    await modern.call("never_call", { numbers: ["+8613800010001"] });
    await gateway.ask(ADD, { numbers: ["+8613800010002"] }, headers);
    const proposed = await legacy.call("propose_task", { input: proposal() });
    expect(proposed.errors).toEqual([]);
    const byAgents = [
      { actor: "bot", action: "TASK_PROPOSED", via: "MCP", tool: "propose_task", client: "plain" },
      { actor: "bot", action: "DO_NOT_CALL_ADDED", via: "MCP", tool: "never_call", client: "test-agent" },
    ];
    const [first, second] = byAgents;
    const byPerson = { actor: "bot", action: "DO_NOT_CALL_ADDED", via: null, tool: null, client: null };
    expect(await entries()).toEqual([first, byPerson, second]);
    expect(await entries({ via: "MCP" })).toEqual(byAgents);
  });
});

describe("The name of an agent's program", () => {
  it.each([
    // https://github.com/openwong2kim/wmux/pull/638, https://github.com/scottcrosby-securebine/kali-mcp-server/issues/80
    ["agent\u001b[2J\u001b]0;admin\u0007", "agent[2J]0;admin"],
    // https://github.com/jackyef/my-site/pull/123
    ["a\u009b31mgent\u0085", "a31mgent"],
    // https://github.com/d-oit/rust-2026-template/pull/302
    ["ad\u202enimda\u200b\u2028", "adnimda"],
    ["first\r\nsecond", "firstsecond"],
    ["Visual Studio Code/1.130.0", "Visual Studio Code"],
    ["x".repeat(100_000), "x".repeat(64)],
    ["  ", null],
    ["", null],
    [null, null],
    [undefined, null],
  ])("%j is kept as %j", (given, kept) => {
    expect(clientNameOf(given)).toBe(kept);
  });

  it("holds no phone number", () => {
    expect(clientNameOf("agent of +8613800010001")).not.toContain("13800010001");
    expect(clientNameOf(`${"x".repeat(50)} +8613800010001`)).not.toContain("1380001");
  });
});
