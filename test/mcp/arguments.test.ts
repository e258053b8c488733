// Arguments of tools as models and their programs really write them.
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ObjectSchema } from "../../src/mcp/inputSchema.ts";
import { readArguments } from "../../src/mcp/toolArguments.ts";
import { connectAgent, type Agent } from "../support/agent.ts";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { startSandbox } from "../support/sandbox.ts";
import { proposal } from "./proposal.ts";

const parts = new AsyncDisposableStack();
let gateway: TestGateway;
let agent: Agent;

const LARGE = "9007199254740993123";

beforeAll(async () => {
  gateway = parts.use(await startGateway(parts.use(await startSandbox()), { MCP: "on" }));
  agent = parts.use(await connectAgent(gateway));
  for (const task_id of [7, 8]) await gateway.deliver(callEndedEvent({ task_id, session_id: `of task ${task_id}` }));
  // As the service writes it: a number with all its digits.
  const large = JSON.stringify(callEndedEvent({ task_id: 1, session_id: "of a large task" }));
  await gateway.deliver(large.replace('"task_id":1,', `"task_id":${LARGE},`));
});
afterAll(() => parts.disposeAsync());

async function sessionsOf(args: Record<string, unknown>): Promise<string[]> {
  const { data, errors } = await agent.call("find_calls", args);
  expect(errors).toEqual([]);
  return data.calls.nodes.map(({ sessionId }: { sessionId: string }) => sessionId).toSorted();
}

describe("The arguments of a tool", () => {
  it.each([
    ["an object", { filter: { taskIds: ["7"] } }],
    // https://github.com/anthropics/claude-code/issues/18260, https://github.com/PrefectHQ/fastmcp/issues/932
    ["an object as text", { filter: '{"taskIds":["7"]}' }],
    ["a list as text", { filter: { taskIds: '["7"]' } }],
    ["both as text", { filter: ' { "taskIds": "[\\"7\\"]" } ' }],
    ["numbers for ids", { filter: { taskIds: [7] } }],
    ["null for what is left out", { filter: { taskIds: ["7"], hangupReasons: null }, after: null }],
  ])("may hold %s", async (_, args) => {
    expect(await sessionsOf(args)).toEqual(["of task 7"]);
  });

  it("keep every digit of a large number", async () => {
    // https://github.com/anthropics/claude-code/issues/78762, https://github.com/cq27-dev/rag-rat/issues/130
    expect(await sessionsOf({ filter: { taskIds: [LARGE] } })).toEqual(["of a large task"]);
    expect(await sessionsOf({ filter: `{"taskIds":[${LARGE}]}` })).toEqual(["of a large task"]);
    const { data } = await agent.call("get_call", { sessionId: "of a large task" });
    expect(data.call?.taskId ?? LARGE).toBe(LARGE);
    const { data: found } = await agent.call("find_calls", { filter: { taskIds: [LARGE] } });
    expect(found.calls.nodes[0].taskId).toBe(LARGE);
  });

  it.each([["7,8"], ["[7,8"], ["7"], ["null"], ["[]]"], [`${"[".repeat(9999)}${"]".repeat(9999)}`]])(
    "are refused with the text %j where a list belongs: it would find nothing, and seem to be an answer",
    async (taskIds) => {
      const { errors } = await agent.call("find_calls", { filter: { taskIds } });
      expect(errors).toMatchObject([{ code: "BAD_USER_INPUT", message: expect.stringContaining("filter.taskIds") }]);
    },
  );

  it("name the right value where only the case of an enum is wrong", async () => {
    const { errors } = await agent.call("task_people", { taskId: "7", filter: { outcome: ["busy"] } });
    expect(errors).toMatchObject([{ code: "BAD_USER_INPUT", message: expect.stringContaining("BUSY") }]);
  });

  it("of a proposal may hold its parts as text", async () => {
    const input = proposal();
    const asText = {
      ...input,
      option: JSON.stringify(input.option),
      numbers: JSON.stringify(input.numbers.map((each) => JSON.stringify(each))),
    };
    const { data } = await agent.call("propose_task", { input: JSON.stringify(asText) });
    expect(data.proposal).toMatchObject({ errors: [], submission: { status: "PROPOSED", numberCount: 2 } });
  });
});

const schema: ObjectSchema = {
  type: "object",
  properties: {
    text: { type: "string" },
    free: { type: "object", additionalProperties: true },
    inner: {
      type: "object",
      properties: { names: { type: "array", items: { type: "string" } }, count: { type: "integer" } },
    },
  },
};
const inner = fc.record({ names: fc.array(fc.string()), count: fc.integer() }, { requiredKeys: [] });

describe("The reader of arguments", () => {
  it("gives back what fits the schema, and the same where it was sent as text", () => {
    const args = fc.record({ text: fc.string(), free: fc.dictionary(fc.string(), fc.string()), inner });
    fc.assert(
      fc.property(args, (given) => {
        expect(readArguments(given, schema)).toEqual(given);
        const { free, inner: own } = given;
        const asText = { ...given, free: JSON.stringify(free), inner: JSON.stringify(own) };
        expect(readArguments(asText, schema)).toEqual(given);
      }),
    );
  });

  it("never reads a text that the schema has a text for", () => {
    for (const text of ["{}", "[]", '{"a":1}', "null", "1"]) {
      expect(readArguments({ text }, schema)).toEqual({ text });
      expect(readArguments({ inner: { names: [text] } }, schema)).toEqual({ inner: { names: [text] } });
    }
  });
});
