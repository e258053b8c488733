import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createToolUse } from "../../src/mcp/toolUse.ts";
import { connectAgent } from "../support/agent.ts";
import { NO_SERVICE, startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { silentLog } from "../support/silentLog.ts";
import { proposal } from "./proposal.ts";

const parts = new AsyncDisposableStack();
let gateway: TestGateway;

beforeAll(async () => {
  const directory = parts.use(await temporaryDirectory());
  const keys = await writeKeys(directory.path, { bot: ["calls:read", "tasks:propose"], admin: ["admin"] });
  gateway = parts.use(await startGateway(NO_SERVICE, { MCP: "on", API_KEYS_FILE: keys }));
});
afterAll(() => parts.disposeAsync());

const QUERY = "{ gateway { agentUses { viewer client tool calls failed lastAt } } }";

describe("gateway { agentUses }", () => {
  it("shows which clients of which keys used which tools, the last one first", async () => {
    await using modern = await connectAgent(gateway, { as: "bot" });
    await using legacy = await connectAgent(gateway, {
      as: "bot",
      era: "legacy",
      headers: { "user-agent": "plain/1.0" },
    });
    await modern.call("call_statistics");
    await modern.call("call_statistics", { nonsense: 1 });
    await legacy.call("propose_task", { input: proposal() });
    const { data } = await gateway.ask(QUERY, {}, { authorization: bearer("admin") });
    expect(data).toMatchObject({
      gateway: {
        agentUses: [
          { viewer: "bot", client: "plain", tool: "propose_task", calls: 1, failed: 0 },
          { viewer: "bot", client: "test-agent", tool: "call_statistics", calls: 2, failed: 1 },
        ],
      },
    });
    const line = await gateway.line(({ via }) => via === "MCP");
    expect(line).toMatchObject({ viewer: "bot", client: "plain", tool: "propose_task" });
    const refused = await gateway.ask(QUERY, {}, { authorization: bearer("bot") });
    expect(refused.errors).toMatchObject([{ extensions: { code: "FORBIDDEN" } }]);
  });

  it("keeps the hundred that were used last", () => {
    const use = createToolUse(silentLog, () => 0);
    for (let at = 0; at < 150; at += 1)
      use.record({ viewer: `viewer-${at}`, client: null, tool: "find_calls", isChange: false, failed: false });
    expect(use.list()).toHaveLength(100);
    expect(use.list()[0]?.viewer).toBe("viewer-149");
  });
});
