// Lists of tools, page by page.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectAgent, type Agent, type Answer } from "../support/agent.ts";
import { emptySandbox } from "../support/emptySandbox.ts";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { writeKeys } from "../support/keys.ts";
import { until } from "../support/until.ts";
import { proposal } from "./proposal.ts";

const parts = new AsyncDisposableStack();
let gateway: TestGateway;
let agent: Agent;

const PEOPLE = 7;

beforeAll(async () => {
  const directory = parts.use(await temporaryDirectory());
  const keys = await writeKeys(directory.path, { all: ["calls:read", "people:read", "tasks:propose"] });
  const sandbox = parts.use(await emptySandbox());
  sandbox.control.seed({ tasks: [{ id: 7 }, { id: 8 }, { id: 9 }] });
  gateway = parts.use(await startGateway(sandbox, { MCP: "on", API_KEYS_FILE: keys }));
  agent = parts.use(await connectAgent(gateway, { as: "all" }));
  for (const task_id of [8, 9]) await gateway.deliver(callEndedEvent({ task_id }));
  for (let at = 0; at < PEOPLE; at += 1) {
    const own = { task_id: 7, task_item_id: 100 + at, callee: `+86138000100${10 + at}` };
    await gateway.deliver(callEndedEvent({ ...own, session_id: `first-${at}` }));
    await gateway.deliver(
      callEndedEvent({ ...own, task_item_id: 99, callee: "+8613900020002", session_id: `second-${at}` }),
    );
    await agent.call("propose_task", { input: proposal({ name: `Proposal ${at}` }) });
  }
  await until(async () => {
    const { data } = await agent.call("task_people", { taskId: "7", first: 100 });
    return data.task?.recipients.nodes.length === PEOPLE + 1;
  });
  // The order of tasks follows what the service says of them, which the first reading finds out.
  await until(async () => {
    const { data } = await agent.call("list_tasks", { first: 100 });
    return data.tasks.nodes.map(({ taskId }: { taskId: string }) => taskId).join() === "9,8,7";
  });
});
afterAll(() => parts.disposeAsync());

interface Page {
  nodes: Record<string, unknown>[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const LISTS: [string, Record<string, unknown>, (data: Answer["data"]) => Page, string, number][] = [
  ["find_calls", { filter: { taskIds: ["7"] } }, (data) => data.calls, "sessionId", 2 * PEOPLE],
  ["calls_of_person", { phone: "+86 139 0002 0002" }, (data) => data.calls, "sessionId", PEOPLE],
  ["task_people", { taskId: "7" }, (data) => data.task.recipients, "phone", PEOPLE + 1],
  ["list_proposals", {}, (data) => data.submissions, "id", PEOPLE],
  ["list_tasks", {}, (data) => data.tasks, "taskId", 3],
];

describe("The pages of a tool's list", () => {
  it.each(LISTS)("of %s hold each entry once, whatever their size", async (tool, args, listOf, id, count) => {
    const whole = listOf((await agent.call(tool, { ...args, first: 100 })).data);
    expect(whole.pageInfo.hasNextPage).toBe(false);
    expect(whole.nodes).toHaveLength(count);
    for (const first of [1, 3, whole.nodes.length]) {
      const found: unknown[] = [];
      let after: string | null = null;
      do {
        const { data, errors } = await agent.call(tool, { ...args, first, after });
        expect(errors).toEqual([]);
        const { nodes, pageInfo } = listOf(data);
        expect(nodes.length).toBeLessThanOrEqual(first);
        found.push(...nodes.map((node) => node[id]));
        after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
      } while (after !== null);
      expect(found).toEqual(whole.nodes.map((node) => node[id]));
    }
  });

  it.each(LISTS)("of %s are refused beyond their bounds, and after a cursor that is none", async (tool, args) => {
    for (const own of [{ first: 0 }, { first: 101 }, { after: "nonsense" }]) {
      const { errors } = await agent.call(tool, { ...args, ...own });
      expect(["BAD_USER_INPUT", "CURSOR_INVALID"]).toContain(errors[0]?.code);
    }
  });

  it("of tools and resources are one, without a cursor", async () => {
    // https://github.com/modelcontextprotocol/java-sdk/issues/575, https://github.com/gensecaihq/Wazuh-MCP-Server/issues/75
    for (const method of ["tools/list", "resources/list"]) {
      const response = await fetch(`${gateway.url}/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer key-of-all` },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { cursor: "any" } }),
      });
      expect(((await response.json()) as { result: object }).result).not.toHaveProperty("nextCursor");
    }
  });
});
