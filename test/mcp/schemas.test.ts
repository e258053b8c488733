// What clients and models take of a tool. Each rule is one that some of them refuse tools by.
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { schema } from "../../src/schema/schema.ts";
import { readTools, type AgentTool } from "../../src/mcp/readTools.ts";
import { connectAgent } from "../support/agent.ts";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { startSandbox } from "../support/sandbox.ts";

const parts = new AsyncDisposableStack();
let gateway: TestGateway;
let tools: AgentTool[];

beforeAll(async () => {
  const read = await readTools({ schema, introspection: true, folder: null, allow: [] });
  tools = [...read.values()];
  gateway = parts.use(await startGateway(parts.use(await startSandbox()), { MCP: "on" }));
});
afterAll(() => parts.disposeAsync());

type Schema = Record<string, unknown>;

/** The schema and all within it. */
function* schemasIn(of: Schema): Generator<Schema> {
  yield of;
  for (const inner of Object.values((of["properties"] as Record<string, Schema> | undefined) ?? {}))
    yield* schemasIn(inner);
  if (of["items"]) yield* schemasIn(of["items"] as Schema);
}

describe("The schemas of the tools", () => {
  it("name tools as all clients accept it, and describe each", () => {
    expect(tools.length).toBeGreaterThan(12);
    for (const { document } of tools) {
      // https://github.com/diegosouzapw/OmniRoute/issues/13552
      expect(document.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(document.description.length).toBeGreaterThan(40);
    }
  });

  it("of inputs are objects without references, alternatives, null or a list of types", () => {
    for (const { inputSchema } of tools) {
      // https://github.com/opentokenz/mcpx/issues/28, https://github.com/anthropics/claude-code/issues/95504
      expect(inputSchema.type).toBe("object");
      for (const inner of schemasIn(inputSchema as unknown as Schema)) {
        // https://github.com/baruchiro/paperless-mcp/issues/138, https://github.com/google-gemini/gemini-cli/issues/21094
        expect(typeof inner["type"]).toBe("string");
        const refused = ["$ref", "$defs", "$schema", "oneOf", "anyOf", "allOf", "not", "if", "nullable", "format"];
        expect(refused.filter((word) => word in inner)).toEqual([]);
        for (const name of Object.keys((inner["properties"] as object | undefined) ?? {}))
          expect(name).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
      }
    }
  });

  it("of outputs are objects, and list what may be null", () => {
    // https://github.com/opentokenz/mcpx/issues/28
    for (const { outputSchema } of tools) expect(outputSchema.type).toBe("object");
    const calls = tools.find(({ document }) => document.name === "find_calls")?.outputSchema.properties["calls"];
    expect(calls?.type).toEqual(["object", "null"]);
  });

  it("say which tools only read", () => {
    const changing = tools.filter(({ hints }) => !hints.readOnlyHint);
    const proposes = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    expect(changing.map(({ document, hints }) => ({ name: document.name, ...hints }))).toEqual([
      { name: "propose_calling_again", ...proposes },
      { name: "propose_task", ...proposes },
    ]);
  });

  it("fit every answer over generated calls", async () => {
    await using agent = await connectAgent(gateway);
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom("", "NORMAL_CLEARING", "用户忙"),
    );
    const odd = fc.oneof(text, fc.integer(), fc.constant(null), fc.double({ noNaN: true }));
    const data = fc.record({
      callee: odd,
      hangup_reason: odd,
      hangup_side: fc.oneof(fc.constantFrom("caller", "callee"), odd),
      direction: fc.constantFrom("inbound", "outbound", "sideways"),
      answer_at: odd,
      billsec: odd,
      ring_time: odd,
      task_id: fc.constantFrom(0, 7, "9007199254740993123"),
      extra: fc.dictionary(fc.string(), fc.jsonValue()),
    });
    let made = 0;
    await fc.assert(
      fc.asyncProperty(data, async (own) => {
        const session = `odd-${(made += 1)}`;
        await gateway.deliver(callEndedEvent({ ...own, session_id: session }));
        const answers = [
          await agent.call("get_call", { sessionId: session, around: "2026-11-20T00:00:00Z" }),
          await agent.call("find_calls", { first: 3 }),
          await agent.call("call_statistics"),
        ];
        expect(answers.every(({ isError }) => !isError)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });
});
