// What bounds every other request of a key bounds its agent, too.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectAgent } from "../support/agent.ts";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { bearer, keyOf, sha256Of } from "../support/keys.ts";
import { startSandbox, type TestSandbox } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { proposal } from "./proposal.ts";

const parts = new AsyncDisposableStack();
let sandbox: TestSandbox;
let keys: string;
let gateway: TestGateway;

const entry = (name: string, scopes: string[], own: object = {}) => ({
  name,
  sha256: sha256Of(keyOf(name)),
  scopes,
  ...own,
});
const ENTRIES = [
  entry("agent", ["calls:read", "tasks:propose"], { limits: { numbersPerTask: 1, lineIds: ["60"], prefixes: ["+1"] } }),
  entry("admin", ["admin", "calls:read", "people:read"]),
  entry("proposer", ["calls:read", "tasks:propose"]),
  entry("seven", ["calls:read"], { access: { taskIds: ["7"] } }),
  entry("removed", ["calls:read"]),
];

beforeAll(async () => {
  const directory = parts.use(await temporaryDirectory());
  sandbox = parts.use(await startSandbox());
  keys = join(directory.path, "keys.json");
  await writeFile(keys, JSON.stringify(ENTRIES));
  gateway = parts.use(await startGateway(sandbox, { MCP: "on", API_KEYS_FILE: keys }));
});
afterAll(() => parts.disposeAsync());

const [one, two] = proposal().numbers;

describe("An agent", () => {
  it("has the limits of its key: numbers, lines and prefixes", async () => {
    await using agent = await connectAgent(gateway, { as: "agent" });
    const codesOf = async (own: Record<string, unknown>) => {
      const { data } = await agent.call("propose_task", { input: proposal(own) });
      expect(data.proposal.submission).toBeNull();
      return data.proposal.errors.map(({ code }: { code: string }) => code);
    };
    expect(await codesOf({ numbers: [one, two] })).toContain("LIMIT_EXCEEDED");
    const otherLine = { numbers: [one], option: { ...proposal().option, lineIds: ["61"] } };
    expect(await codesOf(otherLine)).toEqual(["NOT_ALLOWED"]);
    expect(await codesOf({ numbers: [{ number: "+8613800010001" }] })).toEqual(["NOT_ALLOWED"]);
    const { data } = await agent.call("propose_task", { input: proposal({ numbers: [one] }) });
    expect(data.proposal.submission).toMatchObject({ status: "PROPOSED", numberCount: 1 });
  });

  it("cannot propose to call somebody of the never-call list", async () => {
    const add = "mutation ($numbers: [String!]!) { addToDoNotCall(numbers: $numbers) { changed } }";
    await gateway.ask(add, { numbers: [one?.number] }, { authorization: bearer("admin") });
    await using agent = await connectAgent(gateway, { as: "proposer" });
    const refused = await agent.call("propose_task", { input: proposal() });
    expect(refused.data.proposal).toMatchObject({ submission: null, errors: [{ code: "DO_NOT_CALL" }] });
    const { data } = await agent.call("propose_task", { input: proposal({ skipDoNotCall: true }) });
    expect(data.proposal.submission).toMatchObject({ status: "PROPOSED", numberCount: 1, leftOutCount: 1 });
  });

  it("has the budgets of an operation and the rate of its key, and learns what to do", async () => {
    const env = { MCP: "on", API_KEYS_FILE: keys, LOG_BUDGET: "50", RATE_LIMIT: "20" };
    await using small = await startGateway(sandbox, env);
    await using agent = await connectAgent(small, { as: "proposer" });
    expect((await agent.call("find_calls", { first: 100 })).errors).toMatchObject([
      { code: "QUERY_TOO_COMPLEX", whatToDo: expect.stringContaining("smaller first") },
    ]);
    for (let at = 0; ; at += 1) {
      const { errors } = await agent.call("get_call", { sessionId: `unknown-${at}`, around: "2020-01-01T00:00:00Z" });
      const limited = errors.find(({ code }) => code === "RATE_LIMITED");
      if (!limited) continue;
      expect(limited["retryAfter"]).toBeGreaterThan(0);
      expect(limited.whatToDo).toContain("retryAfter");
      break;
    }
    // Another key has its own.
    await using other = await connectAgent(small, { as: "admin" });
    expect((await other.call("get_call", { sessionId: "unknown", around: "2020-01-01T00:00:00Z" })).errors).toEqual([]);
  });

  it("sees and follows the calls alone that its key has access to", async () => {
    await using agent = await connectAgent(gateway, { as: "seven" });
    const { next } = (await agent.call("follow_calls", { waitSeconds: 1 })).data;
    for (const task_id of [8, 7]) await gateway.deliver(callEndedEvent({ task_id, session_id: `of task ${task_id}` }));
    const followed = await agent.call("follow_calls", { after: next, waitSeconds: 25 });
    expect(followed.data.items).toMatchObject([{ sessionId: "of task 7" }]);
    const { data } = await agent.call("find_calls", { first: 100 });
    expect(data.calls.nodes).toMatchObject([{ sessionId: "of task 7" }]);
    expect((await agent.call("get_call", { sessionId: "of task 8" })).data.ended ?? null).toBeNull();
  });

  it("loses a wait when its key is removed", async () => {
    await using agent = await connectAgent(gateway, { as: "removed" });
    const waiting = agent.call("follow_calls", { waitSeconds: 25 });
    const query = "{ gateway { subscribers } }";
    await until(async () => {
      const { data } = await gateway.ask<{ gateway: { subscribers: number } }>(
        query,
        {},
        { authorization: bearer("admin") },
      );
      return data?.gateway.subscribers === 1;
    });
    await writeFile(keys, JSON.stringify(ENTRIES.filter(({ name }) => name !== "removed")));
    expect((await waiting).errors).toMatchObject([
      { code: "UNAUTHENTICATED", whatToDo: expect.stringContaining("key") },
    ]);
    await expect(connectAgent(gateway, { as: "removed" })).rejects.toThrow();
  });
});
