import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectAgent } from "../support/agent.ts";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { startSandbox } from "../support/sandbox.ts";
import { proposal } from "./proposal.ts";

const parts = new AsyncDisposableStack();
let gateway: TestGateway;

beforeAll(async () => {
  const directory = parts.use(await temporaryDirectory());
  const sandbox = parts.use(await startSandbox());
  const access = { own: { submittedBy: "self" } };
  const scopes = {
    own: ["calls:read", "tasks:propose"],
    reader: ["calls:read"],
    people: ["calls:read", "people:read"],
    proposer: ["calls:read", "tasks:propose"],
    creator: ["calls:read", "tasks:create", "tasks:approve", "admin", "people:read"],
    nobody: [],
  };
  const keys = await writeKeys(directory.path, scopes, access);
  gateway = parts.use(await startGateway(sandbox, { MCP: "on", API_KEYS_FILE: keys }));
  for (let at = 0; at < 12; at += 1)
    await gateway.deliver(callEndedEvent({ session_id: `call-${at}`, callee: `+86138000100${10 + at}` }));
});
afterAll(() => parts.disposeAsync());

const READING = [
  "call_statistics",
  "find_calls",
  "follow_calls",
  "get_call",
  "get_task",
  "lines_and_assistants",
  "list_tasks",
  "task_people",
];
const PROPOSING = [
  "check_calling_again",
  "check_task",
  "get_proposal",
  "list_proposals",
  "propose_calling_again",
  "propose_task",
];

describe.each(["modern", "legacy"] as const)("The tools of /mcp for a %s client", (era) => {
  it("are those that the scopes of the key allow", async () => {
    const toolsOf = async (as: string) => {
      await using agent = await connectAgent(gateway, { as, era });
      return (await agent.tools()).sort();
    };
    expect(await toolsOf("reader")).toEqual(READING);
    expect(await toolsOf("people")).toEqual(["calls_of_person", ...READING].sort());
    expect(await toolsOf("proposer")).toEqual([...READING, ...PROPOSING].sort());
    expect(await toolsOf("creator")).toEqual(["calls_of_person", ...READING, ...PROPOSING].sort());
    expect(await toolsOf("nobody")).toEqual([]);
  });

  it("list calls page by page, masked without people:read", async () => {
    await using agent = await connectAgent(gateway, { as: "reader", era });
    const first = await agent.call("find_calls", { first: 8, filter: { taskIds: ["7"] } });
    const { endCursor, hasNextPage } = first.data.calls.pageInfo;
    expect(hasNextPage).toBe(true);
    const second = await agent.call("find_calls", { first: 8, filter: { taskIds: ["7"] }, after: endCursor });
    const sessions = [...first.data.calls.nodes, ...second.data.calls.nodes].map((call) => call.sessionId as string);
    expect(new Set(sessions).size).toBe(12);
    expect(first.data.calls.nodes[0].callee).toMatch(/^\+8613\*\*\*\*\d{4}$/);
  });

  it("answer every reading tool by its schema", async () => {
    await using agent = await connectAgent(gateway, { as: "people", era });
    const calls = await Promise.all([
      agent.call("get_call", { sessionId: "call-3" }),
      agent.call("get_call", { sessionId: "unknown", around: "2020-01-01T00:00:00Z" }),
      agent.call("calls_of_person", { phone: "+86 138 0001 0013" }),
      agent.call("call_statistics"),
      agent.call("call_statistics", { filter: { taskIds: ["7"] } }),
      agent.call("get_task", { taskId: "7" }),
      agent.call("list_tasks", { first: 100 }),
      agent.call("task_people", { taskId: "7", filter: { outcome: ["REACHED"] } }),
      agent.call("lines_and_assistants"),
    ]);
    expect(calls.flatMap(({ errors }) => errors)).toEqual([]);
    expect(calls[2]?.data.calls.nodes).toHaveLength(1);
    expect(calls[0]?.data.ended.hangupReason).toBe("NORMAL_CLEARING");
  });

  it("take null for an optional argument, and refuse an unknown one", async () => {
    await using agent = await connectAgent(gateway, { as: "reader", era });
    // Models send it: https://github.com/anthropics/claude-code/issues/95239
    const answer = await agent.call("find_calls", { filter: null, first: null, after: null });
    expect(answer.data.calls.nodes.length).toBe(10);
    const { errors } = await agent.call("find_calls", { limit: 3 });
    expect(errors).toMatchObject([
      { code: "BAD_USER_INPUT", message: expect.stringContaining("filter, first, after") },
    ]);
  });

  it("tell a key with access to some rows only why it gets no lists of lines and assistants", async () => {
    await using agent = await connectAgent(gateway, { as: "own", era });
    const { data, errors } = await agent.call("lines_and_assistants");
    expect(data).toMatchObject({ assistants: null, viewer: { name: "own" } });
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors)
      expect(error).toMatchObject({
        code: "FORBIDDEN",
        message: expect.stringContaining("access to some rows only"),
        whatToDo: expect.stringContaining("access"),
      });
  });

  it("answer what a key may not do with FORBIDDEN and what to do", async () => {
    await using agent = await connectAgent(gateway, { as: "reader", era });
    const byPhone = await agent.call("find_calls", { filter: { phone: "+8613800010013" } });
    expect(byPhone.errors).toMatchObject([{ code: "FORBIDDEN", whatToDo: expect.stringContaining("scope") }]);
    const unlisted = await agent.call("propose_task", { input: proposal() });
    expect(unlisted.errors).toMatchObject([{ code: "FORBIDDEN" }]);
  });

  it("check and propose a task, and show that it waits", async () => {
    await using agent = await connectAgent(gateway, { as: "proposer", era });
    const { idempotencyKey, ...task } = proposal();
    const check = await agent.call("check_task", { input: task });
    expect(check.data.check).toMatchObject({ errors: [], people: 2 });
    const proposed = await agent.call("propose_task", { input: { idempotencyKey, ...task } });
    expect(proposed.data.proposal.submission).toMatchObject({ status: "PROPOSED", numberCount: 2 });
    const { id } = proposed.data.proposal.submission;
    expect(proposed.data.approveAt).toBe(`${gateway.url}/tasks?submission=${encodeURIComponent(id)}`);
    expect((await agent.call("get_proposal", { id })).data.submission).toMatchObject({
      status: "PROPOSED",
      idempotencyKey,
    });
    const again = await agent.call("propose_task", { input: { idempotencyKey, ...task } });
    expect(again.data.proposal).toMatchObject({ replayed: true, submission: { id } });
    const listed = await agent.call("list_proposals", { first: 1 });
    expect(listed.data.submissions.nodes).toMatchObject([{ id }]);
  });

  it("name no page for a proposal that does not wait any more", async () => {
    await using agent = await connectAgent(gateway, { as: "proposer", era });
    const input = proposal();
    const { id } = (await agent.call("propose_task", { input })).data.proposal.submission;
    const decline = "mutation ($id: ID!) { declineTask(id: $id) { submission { status } } }";
    await gateway.ask(decline, { id }, { authorization: bearer("creator") });
    const again = await agent.call("propose_task", { input });
    expect(again.data).toMatchObject({ proposal: { submission: { status: "DECLINED" } }, approveAt: null });
  });

  it("need an idempotency key for a proposal", async () => {
    await using agent = await connectAgent(gateway, { as: "proposer", era });
    const { idempotencyKey: _, ...task } = proposal();
    expect((await agent.call("propose_task", { input: task })).errors).toMatchObject([{ code: "BAD_USER_INPUT" }]);
  });
});
