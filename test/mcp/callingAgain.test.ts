// An agent checks and proposes to call the unreached people of a task again. Whatever its key may do, nobody is phoned by it.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectSandbox, emptySandbox } from "../support/emptySandbox.ts";
import { connectAgent } from "../support/agent.ts";
import { startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { until } from "../support/until.ts";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { proposal } from "./proposal.ts";

const parts = new AsyncDisposableStack();
let gateway: TestGateway;
let sandbox: Sandbox;
let taskId = "";

beforeAll(async () => {
  const directory = parts.use(await temporaryDirectory());
  sandbox = parts.use(await emptySandbox());
  const keys = await writeKeys(directory.path, {
    everything: ["calls:read", "tasks:create", "tasks:approve", "people:read", "admin"],
    blind: ["tasks:create"],
    approver: ["calls:read", "tasks:approve"],
  });
  gateway = parts.use(await startGateway(sandbox, { MCP: "on", API_KEYS_FILE: keys }));
  connectSandbox(sandbox, gateway);
  const plan = { assistantId: 11, lines: [60], startTime: [["00:00", "23:59"]], retryCount: 0 };
  [taskId = ""] = sandbox.control.seed({ tasks: [{ name: "Autumn survey", status: "done", ...plan }] }).taskIds;
  for (const [at, own] of [{}, { answered: false }, { answered: false }].entries())
    sandbox.control.endCall({ ...own, taskId, callee: `+1202555010${at}` });
  await until(async () => {
    await using agent = await connectAgent(gateway, { as: "everything" });
    const { data } = await agent.call("task_people", { taskId });
    return data.task.recipients.nodes.length === 3;
  });
});
afterAll(() => parts.disposeAsync());

const created = () => sandbox.control.requests().filter(({ method }) => method === "POST").length;
const round = () => {
  const { name, assistantId, option } = proposal({ name: "Second round" });
  return { taskId, name, assistantId, option };
};

describe("Calling again through /mcp", () => {
  it("is only proposed, also with a key that could send it, and shows no number", async () => {
    await using agent = await connectAgent(gateway, { as: "everything" });
    const leftOut = [{ reason: "REACHED", people: 1 }];
    const checked = await agent.call("check_calling_again", round());
    expect(checked.errors).toEqual([]);
    expect(checked.data.check).toMatchObject({
      errors: [],
      people: 2,
      calledAgainFrom: { task: { name: "Autumn survey" }, leftOut },
    });
    const idempotencyKey = randomUUID();
    const { data } = await agent.call("propose_calling_again", { ...round(), idempotencyKey });
    const { submission } = data.proposal;
    expect(submission).toMatchObject({ status: "PROPOSED", numberCount: 2, calledAgainFrom: { leftOut } });
    expect(data.approveAt).toContain(encodeURIComponent(submission.id as string));
    expect(JSON.stringify([checked, data])).not.toContain("2025550");
    const again = await agent.call("propose_calling_again", { ...round(), idempotencyKey });
    expect(again.data.proposal).toMatchObject({ replayed: true, submission: { id: submission.id } });
    expect(created()).toBe(0);
    const approve = "mutation ($id: ID!) { approveTask(id: $id) { errors { code } submission { status } } }";
    const headers = { authorization: bearer("approver") };
    expect((await gateway.ask(approve, { id: submission.id }, headers)).data).toMatchObject({
      approveTask: { errors: [] },
    });
    expect(created()).toBe(1);
  });

  it("is not listed for a key that may not read calls", async () => {
    await using agent = await connectAgent(gateway, { as: "blind" });
    expect((await agent.tools()).filter((name) => name.endsWith("calling_again"))).toEqual([]);
    const refused = await agent.call("propose_calling_again", { ...round(), idempotencyKey: randomUUID() });
    expect(refused.errors).toMatchObject([{ code: "FORBIDDEN" }]);
  });
});
